"""Objects that several threads use at a time."""

from __future__ import annotations

import gc
import os
import sys
import threading
import time
from collections.abc import Iterator

import pytest
from conftest import SCENES, place

import acmotion


def in_threads(count: int, work) -> None:
    """Runs a function in threads, with the number of each, and raises what they raised."""
    failed: list[BaseException] = []

    def run(number: int) -> None:
        try:
            work(number)
        except BaseException as error:  # noqa: BLE001
            failed.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
        assert not thread.is_alive(), "a deadlock"
    if failed:
        raise failed[0]


def test_one_world_serves_many_threads():
    world = acmotion.World(player=1)
    world.spawn(1, place())
    for number in range(60):
        world.spawn(100 + number, place(x=1.0 + number / 4))
    bodies = [acmotion.Bodies() for _ in range(4)]

    def work(thread: int) -> None:
        for step in range(150):
            now = step / 30
            match thread:
                case 0:
                    world.advance(now)
                case 1:
                    bodies[1].update(world)
                    world.states()
                case 2:
                    world.spawn(1000 + step, place(), now)
                    world.despawn(1000 + step, now)
                    gc.collect(0)
                case _:
                    world.events()
                    world.outbound()
                    world.get(100 + step % 60)
                    world.snapshot()
            assert len(world) >= 61

    in_threads(4, work)
    assert len(world) == 61 and world.get(100) is not None


def test_one_capture_is_shared_by_threads(duel):
    capture = duel.capture("Swift")
    decoder, found = acmotion.decode(capture, all=True), []

    def work(_: int) -> None:
        for message in decoder:
            found.append(message.bytes)

    in_threads(3, work)
    assert sorted(found) == sorted(message.bytes for message in acmotion.decode(capture, all=True))


def test_the_array_of_one_update_is_not_written_by_another():
    world = acmotion.World()
    for number in range(500):
        world.spawn(1 + number, place(x=number / 25))
    shared = acmotion.Bodies(capacity=600, parts=16_000)
    refused = []

    def work(_: int) -> None:
        for _ in range(100):
            try:
                shared.update(world)
            except Exception as error:  # noqa: BLE001
                refused.append(error)

    in_threads(3, work)
    assert len(shared.update(world)) == 500
    assert all("borrow" in str(error).lower() for error in refused)


@pytest.fixture
def no_switching() -> Iterator[None]:
    """Lets a thread go on until it waits for something, or a call of the engine lets others run."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000.0)
    yield
    sys.setswitchinterval(interval)


def another_thread_runs_during(call, attempts: int) -> bool:
    """Whether another thread runs while this one does nothing but to call the engine."""
    counted, is_over = [0], [False]

    def count() -> None:
        while not is_over[0]:
            counted[0] += 1
            time.sleep(0)

    thread = threading.Thread(target=count)
    thread.start()
    before = counted[0]
    for _ in range(attempts):
        call()
        if counted[0] != before:
            break
    after = counted[0]
    is_over[0] = True
    thread.join()
    return after != before


@pytest.mark.usefixtures("no_switching")
def test_other_threads_run_during_long_work(duel):
    crowd, few = acmotion.World(surroundings="town"), acmotion.World()
    spawn = acmotion.landmarks()["spawn"]
    for number in range(300):
        crowd.spawn(1 + number, spawn.moved(x=number % 20 - 10, y=number / 20 - 8), motion=("NonCombat", "RunForward"))
    few.spawn(1, place())
    capture, bodies = duel.capture("Swift"), acmotion.Bodies(capacity=400, parts=20_000)
    times = iter(range(10**9))
    for name, call in {
        "advance": lambda: crowd.advance(next(times) / 30),
        "poses": lambda: bodies.update(crowd),
        "snapshot": crowd.snapshot,
        "simulate": lambda: acmotion.simulate(SCENES / "laggy_duel.toml", seconds=5.0),
        "replay": lambda: acmotion.replay(capture),
        "decode": lambda: list(acmotion.decode(capture)),
        "decode_table": lambda: acmotion.decode_table(capture),
    }.items():
        assert another_thread_runs_during(call, 2_000), name
    # The other way round, so that it is the engine that lets the thread run: a small world is not worth it.
    assert not another_thread_runs_during(lambda: few.advance(next(times) / 30), 200)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("use", [acmotion.decode_table, acmotion.replay, lambda path: list(acmotion.decode(path))])
def test_a_pipe_is_read_while_another_thread_writes_to_it(use, duel, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(duel.capture("Swift")))
    writer.start()
    used = use(pipe)
    writer.join(timeout=60)
    assert not writer.is_alive() and used is not None
