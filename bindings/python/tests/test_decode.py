"""Captures: decoded message by message and as tables."""

from __future__ import annotations

import json

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from conftest import place

import acmotion

GUID = 0x80000001
PLAYER_CREATE = bytes.fromhex("46F7000001000050")


def messages() -> list[tuple[float, str, bytes]]:
    """Messages of every kind that a server makes, and of a player."""
    server = acmotion.World()
    server.spawn(GUID, place())
    sword = 0x80000002
    server.spawn(sword, setup=0x02000004, motion_table=None, held_by=(GUID, 1))
    made = [
        PLAYER_CREATE,
        server.describe(GUID, "Drudge"),
        server.describe(sword, "Sword"),
        server.describe_motion(GUID),
        server.report_position(GUID),
        server.order(GUID, acmotion.Order.move_to(place(y=20), heading=90.0), 0.5),
        server.order(GUID, acmotion.Order.turn_to(45.0), 0.6),
        server.set_motion(
            GUID,
            0.7,
            style="SwordCombat",
            forward="RunForward",
            forward_speed=1.5,
            turn="TurnRight",
            actions=[("SlashHigh", 1)],
        ),
        server.set_velocity(GUID, (1.0, 2.0, 3.0), 0.8, omega=(0.0, 0.0, 1.0)),
        server.set_state(GUID, 0x408, 0.9),
        server.describe_parent(sword),
        server.begin_teleport(GUID),
        server.describe_delete(GUID),
    ]
    found = [(index / 8, "S2C", message) for index, message in enumerate(made)]
    client = acmotion.World(player=0x50000001)
    client.spawn(0x50000001, place())
    client.player.set_skills(0.0, run_skill=200, jump_skill=300)
    client.player.press("WalkForward", 2.0)
    client.player.jump(0.5, 2.5)
    for frame in range(60, 120):
        client.advance(frame / 30)
    found += [(3.0, "C2S", message) for message in client.outbound()]
    assert len({message for _, _, message in found}) > 14
    return found


@pytest.fixture(scope="module")
def capture() -> bytes:
    return acmotion.write_capture(messages())


def test_messages_are_those_of_the_command(capture, tmp_path, command):
    path = tmp_path / "made.pcap"
    path.write_bytes(capture)
    lines = command("decode", path, "--all")
    assert [message.to_dict() for message in acmotion.decode(path, all=True)] == lines
    assert [message.to_dict() for message in acmotion.decode(path)] == command("decode", path)
    assert acmotion.decode_table(path, all=True, json=True)["json"].tolist() == [
        json.dumps(line, separators=(",", ":")) for line in lines
    ]


def test_messages_have_attributes(capture):
    decoded = list(acmotion.decode(capture, all=True))
    assert [message.bytes for message in decoded] == [message for _, _, message in messages()]
    report = next(message for message in decoded if message.name == "UpdatePosition")
    assert (report.opcode, report.guid, report.direction) == (0xF748, GUID, "S2C")
    assert report.position.distance_to(place()) < 0.001 and report.decoded["grounded"] is True
    assert report.time == pytest.approx(0.5) and report.error is None
    moves = [message for message in decoded if message.name == "UpdateMotion"][-1]
    assert moves.style == acmotion.motion_id("SwordCombat") and moves.grounded is None
    assert moves.forward == (acmotion.motion_id("RunForward"), 1.5)
    assert moves.turn[0] == acmotion.motion_id("TurnRight") and moves.sidestep == (None, None)
    vector = next(message for message in decoded if message.name == "VectorUpdate")
    assert vector.velocity == (1.0, 2.0, 3.0)
    jump = next(message for message in decoded if message.name == "Jump")
    assert (jump.opcode, jump.sub_opcode, jump.direction) == (0xF7B1, 0xF61B, "C2S")
    assert jump.velocity[2] > 1.0 and jump.velocity == tuple(jump.decoded["velocity"])
    assert repr(report) == "<Message UpdatePosition of 0x80000001, S2C at 0.500 s>"


def test_all_formats_and_sources_give_the_same(capture, tmp_path):
    path = tmp_path / "made.pcap"
    path.write_bytes(capture)
    expected = [message.to_dict() for message in acmotion.decode(capture)]
    lines = "\n".join(json.dumps(line) for line in expected).encode()
    for source in (path, str(path), bytearray(capture), memoryview(capture), lines):
        assert [message.to_dict() for message in acmotion.decode(source)] == expected
    again = acmotion.write_capture(acmotion.decode(capture))
    assert [message.to_dict() for message in acmotion.decode(again)] == expected


def test_one_message_is_decoded():
    created = acmotion.decode_message(PLAYER_CREATE, time=1.5)
    assert (created.name, created.time, created.decoded) == ("PlayerCreate", 1.5, {"guid": "0x50000001"})
    with pytest.raises(acmotion.DecodeError) as error:
        acmotion.decode_message(bytes.fromhex("4BF700001D0000501044"))
    assert str(error.value) == "0xF74B: state at byte 8 needs 4 bytes, but the message has only 2 there"
    value = error.value
    assert (value.opcode, value.field, value.offset, value.needed, value.had) == (0xF74B, "state", 8, 4, 2)


def test_damaged_records_are_skipped_or_raise():
    good = '{"t": 1, "dir": "s2c", "hex": "46F7000001000050"}'
    cut = '{"t": 2, "dir": "s2c", "hex": "4BF700001D0000501044"}'
    lines = "\n".join([good, '{"t": 2, "dir": "up"}', cut, good]).encode()
    decoder = acmotion.decode(lines)
    found = list(decoder)
    assert [message.name for message in found] == ["PlayerCreate", "SetState", "PlayerCreate"]
    assert found[1].error.endswith("the message has only 2 there") and found[1].decoded is None
    assert decoder.errors == ["line 2, column 17: the direction is neither s2c nor c2s"]
    assert decoder.summary["records"] == 4 and decoder.summary["errors"] == 1
    with pytest.raises(acmotion.CaptureError, match="line 2, column 17"):
        list(acmotion.decode(lines, strict=True))
    with pytest.warns(UserWarning, match="1 records of the capture are damaged"):
        assert len(acmotion.decode_table(lines)) == 3
    with pytest.raises(acmotion.CaptureError, match="not a capture"):
        list(acmotion.decode(b"PK\x03\x04 and more"))
    with pytest.raises(acmotion.CaptureError, match="the capture is empty"):
        acmotion.decode_table(b"")
    with pytest.raises(FileNotFoundError):
        acmotion.decode("no such file")


def test_tables_reach_every_data_frame(capture):
    table = acmotion.decode_table(capture)
    arrow = pyarrow.table(table)
    assert arrow.equals(table.to_pyarrow())
    frames = polars.DataFrame(table)
    assert frames.equals(table.to_polars())
    expected = [(message.time, message.name, message.guid) for message in acmotion.decode(capture)]
    assert frames.select("time", "name", "guid").rows() == expected
    assert pandas.DataFrame.from_arrow(table).shape == (len(table), len(table.column_names))
    pandas_frame = table.to_pandas()
    assert list(pandas_frame["time"]) == [time for time, _, _ in expected]
    assert arrow.schema.field("x").type == pyarrow.float32()
    # A second consumer gets the same: the stream is made anew.
    assert pyarrow.table(table).num_rows == len(table) == len(expected)


def test_arrow_takes_columns_without_copying(capture):
    table = acmotion.decode_table(capture)
    first, second = (pyarrow.table(table)["time"].chunk(0).buffers()[1].address for _ in range(2))
    assert first == second


def test_columns_are_arrays(capture):
    table = acmotion.decode_table(capture)
    row = table["name"].tolist().index("UpdatePosition")
    assert (table["x"][row], table["y"][row]) == (12.0, 12.0) and table["z"][row] == pytest.approx(94.0, abs=0.001)
    assert table["cell"][row] == 0xA9B40001 and np.ma.is_masked(table["cell"][0])
    assert np.isnan(table["vx"][row]) and table["time"].dtype == np.float64
    assert table["raw"][row] == list(acmotion.decode(capture))[row].bytes
    assert table.to_dicts()[row]["position_seq"] == 1
    with pytest.raises(KeyError, match="no column `y_position`"):
        table["y_position"]
