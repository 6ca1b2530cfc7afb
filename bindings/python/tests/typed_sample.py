"""Uses most of the package with types. mypy checks this file strictly; `test_types.py` runs it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

import acmotion

SCENES = Path(__file__).parents[3] / "scenes"


def slash() -> tuple[float, list[tuple[float, float | None]]]:
    table: acmotion.MotionTable = acmotion.Assets.mannequin().motion_table()
    timing: acmotion.Timing = table.motion("SwordCombat", "SlashHigh", speed=1.0)
    return timing.length, [(hit.time, hit.share) for hit in timing.attacks]


def walk() -> tuple[float, list[str]]:
    world = acmotion.World(player=0x50000001, surroundings="town")
    spawn: acmotion.Position = acmotion.landmarks()["spawn"]
    world.spawn(0x50000001, spawn, is_player=True)
    request: int = world.player.walk_to(spawn.moved(y=-6.0), 0.0)
    kinds: list[str] = []
    bodies = acmotion.Bodies()
    for frame in range(1, 120):
        world.advance(frame / 30)
        kinds += [event.kind for event in world.events() if event.kind != "request" or event["id"] == request]
        matrices: npt.NDArray[np.float32] = bodies.update(world).matrices
        assert matrices.shape[1:] == (3, 4)
    entity = world.get(0x50000001)
    assert entity is not None
    return entity.position.distance_to(spawn), kinds


def replayed() -> dict[int, str]:
    result: acmotion.SimulationResult = acmotion.simulate(SCENES / "walk_and_turn.toml", seconds=3.0)
    capture: bytes = result.capture(result.clients[0])
    for message in acmotion.decode(capture, all=True):
        position: acmotion.Position | None = message.position
        assert position is None or position.cell > 0
    return acmotion.replay(capture, guids=[1, 2]).names


def visible() -> str:
    scene = acmotion.Scene.town()
    wall = acmotion.landmarks()["wall"].moved(z=1.5)
    obstruction: acmotion.Obstruction | None = scene.line_of_sight(wall, wall.moved(y=8.0))
    return "visible" if obstruction is None else str(obstruction)
