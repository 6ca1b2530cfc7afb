"""Captures made by hand: bodies that run in circles and fight, a player, and what goes wrong."""

from __future__ import annotations

import gzip
import json
import math
import struct
import zipfile
from pathlib import Path
from typing import Iterator

#: The Unix time at which captures start.
START = 1_485_216_000.0
#: A cell of a landblock, and the height of its ground.
CELL, HEIGHT = 0xA9B40019, 94.0
PLAYER = 0x50000001
Message = tuple[float, str, bytes]


def position(time: float, guid: int, seconds: float) -> Message:
    """An UpdatePosition on a circle of 10 m, at 4 m/s."""
    angle = 0.4 * seconds + guid % 7
    x, y = 80 + 10 * math.cos(angle), 80 + 10 * math.sin(angle)
    stamp = int(seconds) + 1
    body = struct.pack("<IIII5f", 0xF748, guid, 0x34, CELL, x, y, HEIGHT, math.cos(angle / 2), math.sin(angle / 2))
    return time, "s2c", body + struct.pack("<4H", 1, stamp, 0, 0)


def motion(time: float, guid: int, stamp: int, command: int) -> Message:
    """An UpdateMotion: a style of none, and a motion forward."""
    head = struct.pack("<IIHHHBB", 0xF74C, guid, 1, stamp, 0, 1, 0)
    return time, "s2c", head + struct.pack("<BBHIHH", 0, 0, 0x3D, 0x03, 0x3D, command)


def autonomous_position(time: float, sequence: int, y: float) -> Message:
    """The player's own client reports its position."""
    head = struct.pack("<III", 0xF7B1, sequence, 0xF753)
    place = struct.pack("<I3f4f", CELL, 82.0, y, HEIGHT, 1.0, 0.0, 0.0, 0.0)
    return time, "c2s", head + place + struct.pack("<4H4x", 1, 0, 0, 0)


def run_rates(player: int, rates: dict[tuple[int, int], float]) -> Iterator[Message]:
    """A player that runs, with each pair of strength and burden that it is told of: its rate, and what must not count."""
    yield START, "s2c", struct.pack("<II", 0xF746, player)

    def run(time: float, guid: int, command: int, rate: float) -> Message:
        head = struct.pack("<IIHHHBB", 0xF74C, guid, 1, int(time - START), 0, 1, 0)
        return time, "s2c", head + struct.pack("<BBHIHHf", 0, 0, 0x3D, 0x07, 0x3D, command, rate)

    told = None
    for number, ((strength, burden), rate) in enumerate(rates.items()):
        time = START + 1 + 2 * number
        if strength != told:
            # Ranks and start, which count together.
            yield time, "s2c", struct.pack("<IBIIII", 0x02E3, number % 256, 1, strength - 4, 4, 0)
            told = strength
        yield time + 0.1, "s2c", struct.pack("<IBII", 0x02CD, number % 256, 5, burden)
        yield run(time + 0.2, player, 0x07, rate)
        # Another attribute and property, another body, another motion; then the same rate again.
        yield time + 0.3, "s2c", struct.pack("<IBIIII", 0x02E3, number % 256, 2, 100, 10, 0)
        yield time + 0.4, "s2c", struct.pack("<IBII", 0x02CD, number % 256, 6, 12)
        yield run(time + 0.5, player + 1, 0x07, 9.0)
        yield run(time + 0.6, player, 0x05, 8.0)
        yield run(time + 1, player, 0x07, rate)


def crowd(bodies: int, seconds: int) -> Iterator[Message]:
    """Bodies that run and stop, each reported once a second, and a player that walks."""
    yield START, "s2c", struct.pack("<II", 0xF746, PLAYER)
    for second in range(seconds):
        for body in range(bodies):
            guid, time = 0x80000001 + body, START + second + body / (2 * bodies)
            yield position(time, guid, second + body / (2 * bodies))
            # Run, stand, bow, and again: bows are interrupted by what follows.
            yield motion(time, guid, second + 1, (0x07, 0x03, 0x7D)[(second + body) % 3])
        yield autonomous_position(START + second + 0.75, second + 1, 70 + 0.5 * second)
        yield START + second + 0.8, "s2c", struct.pack("<IBII", 0x02CD, second % 256, 5, 1000 + second)


def lines(messages: Iterator[Message]) -> bytes:
    """Messages as JSON Lines."""
    objects = ({"t": time, "dir": direction, "hex": data.hex()} for time, direction, data in messages)
    return "".join(json.dumps(line) + "\n" for line in objects).encode()


def write_captures(folder: Path) -> None:
    """Writes captures to a folder and one in it."""
    (folder / "plain.jsonl").write_bytes(lines(crowd(6, 30)))
    (folder / "packed.jsonl.gz").write_bytes(gzip.compress(lines(crowd(3, 20))))
    inner = folder / "more"
    inner.mkdir()
    with zipfile.ZipFile(inner / "archive.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("one.jsonl", lines(crowd(2, 12)))
        archive.writestr("folder/two.jsonl", lines(crowd(1, 9)))
        archive.writestr("notes.txt", "not a capture")
    # Without its directory, nothing in an archive can be found.
    (folder / "cut.zip").write_bytes((inner / "archive.zip").read_bytes()[:-30])
    damaged = list(crowd(1, 5))
    damaged.insert(4, (START + 1.0, "s2c", bytes.fromhex("4cf70000010000")))
    text = lines(iter(damaged)).splitlines(keepends=True)
    text.insert(3, b"this is no message\n")
    (folder / "damaged.jsonl").write_bytes(b"".join(text))
    (folder / "README.md").write_text("not a capture")
