"""What the tests share."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any, Callable

import pytest

import acmotion

ROOT = Path(__file__).parents[3]
SCENES = ROOT / "scenes"
EXAMPLES = Path(__file__).parents[1] / "examples"
#: A cell of the town's landblock, and a position on level ground in it.
CELL = 0xA9B40001


def place(x: float = 12.0, y: float = 12.0, z: float = 94.0, heading: float = 0.0) -> acmotion.Position:
    return acmotion.Position(CELL, x, y, z, heading)


def run_on(world: acmotion.World, seconds: float, start: float = 0.0) -> list[acmotion.Event]:
    """Advances a world 30 times a second and returns its events."""
    events = []
    for frame in range(1, round(seconds * 30) + 1):
        world.advance(start + frame / 30)
        events += world.events()
    return events


def fnv1a(data: bytes) -> int:
    """The hash of acmotion-determinism."""
    digest = 0xCBF29CE484222325
    for byte in data:
        digest = ((digest ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return digest


def pinned(world: str) -> tuple[int, int]:
    """The size and the hash that acmotion-determinism expects of one of its worlds."""
    source = (ROOT / "crates/acmotion-determinism/src/lib.rs").read_text(encoding="utf-8")
    found = re.search(rf"\(Kind::{world}, Digest {{ size: ([0-9_]+), hash: (0x[0-9A-F_]+) }}\)", source)
    assert found is not None, f"no digest of {world}"
    return int(found[1]), int(found[2], 16)


@pytest.fixture(scope="session")
def command() -> Callable[..., list[dict[str, Any]]]:
    """The `acmotion` command with --json, if it has been built: a function that returns the objects that it prints."""
    built = [ROOT / "target" / profile / "acmotion" for profile in ("release", "debug")]
    named = os.environ.get("ACMOTION_COMMAND")
    found = [Path(named)] if named else [path for path in built if path.exists()]
    if not found:
        pytest.skip("the command has not been built")

    def run(*arguments: object, code: int = 0) -> list[dict[str, Any]]:
        line = [str(found[0]), *map(str, arguments), "--json"]
        done = subprocess.run(line, capture_output=True, text=True)
        assert done.returncode == code, done.stderr
        return [json.loads(text) for text in done.stdout.splitlines()]

    return run


@pytest.fixture(scope="session")
def duel() -> acmotion.SimulationResult:
    """Two players, one of them over a bad network."""
    return acmotion.simulate(SCENES / "laggy_duel.toml")


@pytest.fixture(scope="session")
def out_of_range() -> bytes:
    """The capture of an observer from which a player runs away, so that it snaps."""
    return acmotion.simulate(EXAMPLES / "out_of_range.toml", states=False).capture("Watcher")
