"""Anything may be passed to anything: exceptions of ordinary classes, never a panic.

A panic of the engine would arrive as `PanicException`, which is no `Exception` and so fails these tests.
"""

from __future__ import annotations

import inspect
import random
import struct
import warnings

import numpy as np
import pytest
from conftest import place

import acmotion
from acmotion import _native

SEED = 1999
PLAYER, DRUDGE = 0x50000001, 0x80000001

#: What may be passed for anything.
VALUES = [
    None, True, 0, 1, -1, 7, 2**31, 2**32 - 1, 2**32, 2**70, 0.0, -0.5, 1e-300, 1e38, 1e300, float("nan"), float("inf"),
    -float("inf"), "", "x", "town", "awaited", "WalkForward", "SlashHigh", "NonCombat", "0x44000007", "\0", "ü" * 300, b"",
    b"\0", b"F\xf7\0\0\1\0\0P", bytearray(b"abc"), memoryview(b"abc"), [], [1], [b"x"], (), (1, 2), (1.0, 2.0, 3.0), {},
    {"a": 1}, set(), object(), print, int, np.zeros(3), np.float32(1.5), np.uint32(5), place(), place(x=float("nan")),
    place(x=1e30), acmotion.Position(0, 0, 0, 0), acmotion.Position(0xFFFFFFFF, 1, 2, 3), acmotion.Order.turn_to(5.0),
    acmotion.Order.chase(DRUDGE), acmotion.Assets.mannequin(),
]  # fmt: skip


def some(random_: random.Random) -> object:
    if random_.random() < 0.2:
        return random_.randbytes(random_.randrange(60))
    if random_.random() < 0.3:
        return random_.choice([PLAYER, DRUDGE, place(), random_.uniform(0, 100)])
    return random_.choice(VALUES)


def call(function, random_: random.Random) -> object:
    """Calls a function with arguments that fit or do not."""
    positional, named = [some(random_) for _ in range(random_.randrange(5))], {}
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        parameters = ()
    for parameter in parameters:
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and random_.random() < 0.2:
            named[parameter.name] = some(random_)
    try:
        return function(*positional, **named)
    except Exception:  # noqa: BLE001  (anything but a panic)
        return None


def methods(thing: object) -> list:
    names = [name for name in dir(thing) if not name.startswith("__")]
    return [method for name in names if callable(method := getattr(thing, name))]


def fresh_world() -> acmotion.World:
    world = acmotion.World(player=PLAYER, surroundings=random.Random(SEED).choice([None, "town"]))
    world.spawn(PLAYER, acmotion.landmarks()["spawn"])
    world.spawn(DRUDGE, acmotion.landmarks()["spawn"].moved(y=3.0))
    return world


def test_worlds_and_players_take_any_calls():
    random_ = random.Random(SEED)
    world = fresh_world()
    for number in range(12_000):
        if number % 1500 == 0:
            world = fresh_world()
        # A world that advances by a random time may be asked for a long jump, which it takes in one step.
        call(random_.choice(methods(world) + methods(world.player)), random_)
    run = [world.advance(1e6 + frame / 30) for frame in range(10)]
    assert all(isinstance(ticked, bool) for ticked in run)


def test_functions_and_classes_take_any_arguments():
    random_ = random.Random(SEED)
    table = acmotion.Assets.mannequin().motion_table()
    scene, checker = acmotion.Scene.town(), acmotion.Checker(PLAYER)
    scenario = acmotion.Scenario.parse("seconds = 1")
    callables = [getattr(_native, name) for name in dir(_native) if not name.startswith("_")]
    for thing in (table, scene, checker, scenario, acmotion.Assets.mannequin(), place()):
        callables += methods(thing)
    for name in ("Assets", "Scene", "Scenario", "Order", "World"):
        callables += methods(getattr(_native, name))
    for _ in range(8_000):
        made = call(random_.choice(callables), random_)
        repr(made)


def test_worlds_take_any_bytes():
    random_ = random.Random(SEED)
    world = fresh_world()
    opcodes = [0xF748, 0xF74C, 0xF74E, 0xF619, 0xF74B, 0xF745, 0xF7DB, 0xF749, 0xF74A, 0xF751, 0xF7B0]
    valid = [world.describe(DRUDGE), world.report_position(DRUDGE), world.describe_motion(DRUDGE)]
    for number in range(4_000):
        message = bytearray(random_.choice(valid))
        if random_.random() < 0.5:
            message = bytearray(struct.pack("<II", random_.choice(opcodes), DRUDGE) + random_.randbytes(random_.randrange(80)))
        else:
            for _ in range(random_.randrange(1, 6)):
                message[random_.randrange(len(message))] = random_.randrange(256)
        for take in (world.queue, lambda one: world.receive(one, number / 30)):
            try:
                take(message)
            except acmotion.DecodeError as error:
                assert error.offset <= len(message)
        world.advance(number / 30)
        world.events()


def test_captures_may_be_any_bytes():
    random_ = random.Random(SEED)
    world = fresh_world()
    valid = acmotion.write_capture([(1.0, "S2C", world.describe(DRUDGE)), (2.0, "S2C", world.report_position(DRUDGE))])
    lines = b'{"t": 1, "dir": "s2c", "hex": "46F7000001000050"}\n' * 3
    heads = [valid[:24], b"\n\r\r\n", lines[:10], b"", b"{", b"\xd4\xc3\xb2\xa1"]
    for number in range(600):
        damaged = bytearray(random_.choice([valid, lines]))
        for _ in range(random_.randrange(8)):
            damaged[random_.randrange(len(damaged))] = random_.randrange(256)
        data = bytes(damaged) if number % 2 else random_.choice(heads) + random_.randbytes(random_.randrange(200))
        for use in (
            lambda data: [message.to_dict() for message in acmotion.decode(data, all=True)],
            lambda data: acmotion.replay(data, max_states=10_000),
        ):
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    use(data)
            except acmotion.Error:
                pass


def test_the_errors_that_are_kept_are_bounded_and_all_are_counted():
    message = '{"t": 1, "dir": "s2c", "hex": "46F7000001000050"}'
    decoder = acmotion.decode("\n".join([message, *["{"] * 70_000]).encode())
    assert len(list(decoder)) == 1
    assert len(decoder.errors) == 1_000
    assert decoder.summary["errors"] == 70_000


def test_the_duration_of_a_simulation_is_bounded():
    scenario = acmotion.Scenario.parse('title = "x"\nseconds = 1\n')
    for seconds in [86_400.1, -1.0, float("nan"), float("inf")]:
        with pytest.raises(ValueError, match="expected 0 to 86400"):
            acmotion.simulate(scenario, seconds=seconds)


def test_a_file_that_is_too_large_is_no_scenario(tmp_path):
    path = tmp_path / "large.toml"
    path.write_bytes(b"#" * ((16 << 20) + 1))
    with pytest.raises(acmotion.ScenarioError, match="larger than 16777216 bytes"):
        acmotion.Scenario.load(path)


def test_snapshots_may_be_any_bytes():
    random_ = random.Random(SEED)
    snapshot = fresh_world().snapshot()
    for _ in range(300):
        damaged = bytearray(snapshot)
        for _ in range(random_.randrange(1, 5)):
            damaged[random_.randrange(len(damaged))] = random_.randrange(256)
        try:
            acmotion.World.restore(damaged[: random_.randrange(len(damaged) + 1)])
        except acmotion.RestoreError:
            pass


def test_scenarios_may_be_any_text():
    random_ = random.Random(SEED)
    text = 'title = "x"\nseconds = 3\n[[player]]\nname = "A"\nat = [90, 90]\ninput = [{ at = 1.0, press = "forward" }]\n'
    for _ in range(300):
        characters = list(text)
        for _ in range(random_.randrange(1, 4)):
            characters[random_.randrange(len(characters))] = random_.choice("0123456789-.[]{}=\"\n eninf")
        try:
            scenario = acmotion.Scenario.parse("".join(characters))
            acmotion.simulate(scenario, seconds=min(scenario.seconds, 2.0), max_states=100_000)
        except (acmotion.ScenarioError, acmotion.LimitError):
            pass


def test_tables_refuse_wrong_names_and_give_capsules_to_all():
    table = fresh_world().states()
    for value in VALUES:
        try:
            table[value]
        except (KeyError, TypeError):
            pass
        assert table.__arrow_c_stream__(value) is not None
