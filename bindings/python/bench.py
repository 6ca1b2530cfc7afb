"""Compares the cost of a tick of 1,000 remotes with poses: the same loop in Rust and through Python, in turns.

    python bindings/python/bench.py [--bodies 1000] [--ticks 300] [--rounds 15]

One tick is one `World.advance` and one `Bodies.update`, which writes positions and part matrices into arrays of numpy. Rust
does the same with `World::advance` and `World::present_all`. Both run on copies of one world, with the messages of a server
that makes every remote walk or run. On a machine that does other work, only the ratio of CPU times means something.
"""

from __future__ import annotations

import argparse
import dataclasses
import statistics
import time

import acmotion
from acmotion._native import _bench_crowd

CELL = 0xA9B40001
#: A little more than a thirtieth of a second, so that every frame is a tick.
TICK = 0.033_334
MOTIONS = ["WalkForward", "RunForward", "TurnRight", "SideStepRight", "Ready"]


def crowd(count: int) -> acmotion.World:
    """Returns a client's world with remotes that its server has described and set in motion."""
    server, client = acmotion.World(), acmotion.World()
    for number in range(count):
        guid = 0x80000001 + number
        server.spawn(guid, acmotion.Position(CELL, 2.0 + number % 40 / 2, 2.0 + number // 40 / 2, 94.0, number * 7.0 % 360))
        motion = MOTIONS[number % len(MOTIONS)]
        axis = {"TurnRight": "turn", "SideStepRight": "sidestep"}.get(motion, "forward")
        client.receive(server.describe(guid), 0.0)
        client.receive(server.set_motion(guid, 0.0, **{axis: motion}), 0.0)
    for frame in range(1, 61):
        client.advance(frame * TICK)
    client.events()
    return client


@dataclasses.dataclass
class Times:
    """The seconds of each round: by the clock, and of the processor."""

    wall: list[float] = dataclasses.field(default_factory=list)
    cpu: list[float] = dataclasses.field(default_factory=list)

    def add(self, wall: float, cpu: float) -> None:
        self.wall.append(wall)
        self.cpu.append(cpu)

    def text(self, ticks: int) -> str:
        best, median = min(self.wall) / ticks * 1e6, statistics.median(self.wall) / ticks * 1e6
        return f"{median:8.1f} µs a tick in the median, {best:.1f} µs at best, {min(self.cpu) / ticks * 1e6:.1f} µs of CPU"


def main() -> None:
    parser = argparse.ArgumentParser(description="Compares the cost of a tick in Rust and through Python.")
    parser.add_argument("--bodies", type=int, default=1000)
    parser.add_argument("--ticks", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    world, start = crowd(options.bodies), 60 * TICK
    bodies = acmotion.Bodies().update(world, origin=CELL)
    parts = len(bodies.matrices)
    rust, python = Times(), Times()
    for _ in range(options.rounds):
        begun = time.thread_time()
        _bench_crowd(world, CELL, start, 0, parts)
        to_copy = time.thread_time() - begun
        begun = time.thread_time()
        seconds, expected = _bench_crowd(world, CELL, start, options.ticks, parts)
        rust.add(seconds, time.thread_time() - begun - to_copy)
        own = world.copy()
        begun, begun_cpu = time.perf_counter(), time.thread_time()
        for tick in range(1, options.ticks + 1):
            own.advance(start + tick * TICK)
            bodies.update(own, origin=CELL)
        python.add(time.perf_counter() - begun, time.thread_time() - begun_cpu)
        found = float(bodies.matrices[:, 0, 3].astype("float64").sum())
        assert abs(found - expected) < 1e-6 * parts, (found, expected)
    print(f"{options.bodies} remotes with {parts} parts, {options.rounds} rounds of {options.ticks} ticks")
    for name, times in (("Rust", rust), ("Python", python)):
        print(f"{name:7} {times.text(options.ticks)}")
    for name, ours, theirs in (("wall clock", python.wall, rust.wall), ("CPU", python.cpu, rust.cpu)):
        ratios = [one / other for one, other in zip(ours, theirs)]
        print(f"Python / Rust, {name}: median {statistics.median(ratios):.3f}, of the best {min(ours) / min(theirs):.3f}")


if __name__ == "__main__":
    main()
