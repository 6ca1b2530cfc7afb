"""Worlds: entities, messages, the local player, arrays, snapshots."""

from __future__ import annotations

import contextlib
import copy
import struct

import numpy as np
import pytest
from conftest import CELL, SCENES, fnv1a, pinned, place, run_on

import acmotion

PLAYER = 0x50000001
DRUDGE = 0x80000001


def test_a_creature_walks_where_it_is_ordered():
    world = acmotion.World()
    world.spawn(DRUDGE, place(y=4))
    assert len(world) == 1 and DRUDGE in world and world.guids() == [DRUDGE]
    message = world.order(DRUDGE, acmotion.Order.move_to(place(y=12)), 0.0)
    assert acmotion.decode_message(message).name == "UpdateMotion"
    events = run_on(world, 8.0)
    drudge = world.get(DRUDGE)
    assert drudge.position.distance_to(place(y=12)) < 1.2
    assert drudge.contact and drudge.on_walkable and drudge.in_cell and drudge.scale == 1.0
    assert (drudge.style, drudge.substate) == (acmotion.motion_id("NonCombat"), acmotion.motion_id("Ready"))
    assert events[0].kind == "created" and events[0].guid == DRUDGE
    steps = [event["what"] for event in events if event.kind == "moveto"]
    assert steps[0] == "starts MoveToPosition" and steps[-1] == "arrives"
    with pytest.raises(KeyError, match="created has no field `what`"):
        events[0]["what"]
    state = drudge.to_dict()
    assert state["guid"] == "0x80000001" and state["t"] == 8.0 and state["moveto"] is None


def test_a_client_shows_what_its_server_describes():
    server, client = acmotion.World(), acmotion.World()
    server.spawn(DRUDGE, place(y=4))
    client.receive(server.describe(DRUDGE, "Drudge"), 0.0)
    client.queue(server.order(DRUDGE, acmotion.Order.move_to(place(y=20), pace="run"), 0.0))
    for frame in range(1, 150):
        now = frame / 30
        server.advance(now)
        if frame % 30 == 0:
            client.receive_all([server.report_position(DRUDGE)], now)
        client.advance(now)
    truth, shown = server.get(DRUDGE).position, client.get(DRUDGE).position
    assert truth.y > 15 and truth.distance_to(shown) < 0.3
    client.receive(server.describe_delete(DRUDGE), 6.0)
    assert DRUDGE not in client
    assert [event["how"] for event in client.events() if event.kind == "deleted"] == ["deleted"]


def test_a_player_walks_and_reports_it():
    world = acmotion.World(player=PLAYER)
    world.spawn(PLAYER, place(y=4), is_player=True)
    player = world.player
    request = player.walk_to(place(y=20), 0.0)
    events = run_on(world, 10.0)
    progress = [event["progress"] for event in events if event.kind == "request" and event["id"] == request]
    assert progress[0] == "begun" and progress[-1] == "done"
    assert player.guid == PLAYER and player.position.distance_to(place(y=20)) < 1.2
    names = {acmotion.decode_message(message, "C2S").name for message in world.outbound()}
    assert names >= {"MoveToState", "AutonomousPosition"}
    assert world.outbound() == []


def test_keys_move_a_player():
    world = acmotion.World(player=PLAYER)
    world.spawn(PLAYER, place(y=4))
    player = world.player
    player.set_skills(0.0, run_skill=200, jump_skill=300)
    player.press("WalkForward", 0.0)
    with pytest.raises(acmotion.RequestError, match="^keys are held, and keys take precedence$"):
        player.walk_to(place(), 0.1)
    run_on(world, 2.0)
    assert world.get(PLAYER).position.y > 8
    player.release("WalkForward", 2.0)
    player.press("Jump", 2.0)
    assert player.jump_power(2.5) == 0.5
    player.release("Jump", 2.6)
    kinds = {event.kind for event in run_on(world, 3.0, start=2.6)}
    assert {"leave_ground", "hit_ground"} <= kinds
    with pytest.raises(acmotion.RequestError, match="there is no player"):
        acmotion.World().player.press("WalkForward", 0.0)


def test_requests_reach_the_server():
    item = 0x80000009
    for style, request, name, fields in [
        ("SwordCombat", lambda p: p.attack(DRUDGE, 0.1, height="high", power=0.25), "TargetedMeleeAttack",
         {"target": "0x80000001", "height": 1, "power": 0.25}),
        ("Magic", lambda p: p.cast(7, 0.1), "CastUntargetedSpell", {"spell": 7}),
        ("Magic", lambda p: p.cast(7, 0.1, target=DRUDGE), "CastTargetedSpell", {"target": "0x80000001", "spell": 7}),
        ("NonCombat", lambda p: p.use_object(DRUDGE, 0.1), "Use", {"object": "0x80000001"}),
        ("NonCombat", lambda p: p.use_object(item, 0.1, target=DRUDGE), "UseWithTarget",
         {"tool": "0x80000009", "target": "0x80000001"}),
        ("NonCombat", lambda p: p.drop_item(item, 0.1), "DropItem", {"item": "0x80000009"}),
        ("NonCombat", lambda p: p.pick_up(item, PLAYER, 0.1, slot=2), "PutItemInContainer",
         {"item": "0x80000009", "container": "0x50000001", "slot": 2}),
        ("NonCombat", lambda p: p.wield(item, 1, 0.1), "GetAndWieldItem", {"item": "0x80000009", "location": "0x00000001"}),
        ("NonCombat", lambda p: p.set_autonomy(1), "AutonomyLevel", {"level": 1}),
    ]:  # fmt: skip
        world = acmotion.World(player=PLAYER)
        world.spawn(PLAYER, place(y=4), motion=(style, "Ready"))
        world.spawn(DRUDGE, place(y=6))
        request(world.player)
        sent = [acmotion.decode_message(message, "C2S") for message in world.outbound()]
        assert (name, fields) in [(message.name, message.decoded) for message in sent], sent


def test_requests_are_refused_with_the_text_of_the_engine():
    world = acmotion.World(player=PLAYER)
    with pytest.raises(acmotion.RequestError, match="there is no player"):
        world.player.turn_to(90.0, 0.0)
    world.spawn(PLAYER, place())
    with pytest.raises(acmotion.RequestError, match="there is no such entity"):
        world.player.follow(DRUDGE, 0.0)
    with pytest.raises(acmotion.RequestError, match="the command is not an action"):
        world.player.emote("RunForward", 0.0)
    with pytest.raises(acmotion.RequestError, match="no such request is under way"):
        world.player.cancel(77, 0.0)
    with pytest.raises(ValueError, match="is not a pace"):
        world.player.walk_to(place(), 0.0, pace="crawl")
    assert world.player.turn_to(90.0, 0.0) > 0 and world.player.cancel_all(0.1) == 1


def test_spawning_raises_with_the_text_of_the_engine():
    world = acmotion.World(max_entities=1)
    world.spawn(DRUDGE, place())
    for arguments, options, text in [
        ((DRUDGE, place()), {}, "an entity with the guid 0x80000001 exists already"),
        ((0, place()), {}, "the guid 0 stands for no object"),
        ((5, place()), {}, "the world has 1 entities, which is the maximum"),
        ((5, place()), {"scale": float("nan")}, "scale is not finite or out of range"),
    ]:
        with pytest.raises(acmotion.SpawnError, match=f"^{text}$"):
            world.spawn(*arguments, **options)
    with pytest.raises(acmotion.PlacementError, match="not a position"):
        world.teleport(DRUDGE, place(x=float("nan")), 1.0)
    with pytest.raises(acmotion.Error, match="there is no entity 0x00000007"):
        world.report_position(7)
    assert not world.despawn(7, 1.0) and world.despawn(DRUDGE, 1.0)


def test_a_full_queue_raises_until_the_next_frame():
    world, message = acmotion.World(), bytes.fromhex("46F7000001000050")
    for _ in range(65_536):
        world.queue(message)
    with pytest.raises(acmotion.LimitError, match="65536 messages of 524288 bytes are queued, which is the maximum"):
        world.queue(message)
    world.advance(0.1)
    world.queue(message)


def test_bodies_fill_arrays_that_are_used_again():
    world = acmotion.World()
    for number in range(40):
        world.spawn(DRUDGE + number, place(x=2.0 + number / 2, y=3.0), motion=("NonCombat", "WalkForward"))
    sword = 0x90000001
    world.spawn(sword, setup=0x02000004, motion_table=None, held_by=(DRUDGE, 1))
    bodies = acmotion.Bodies(capacity=1, parts=1)
    world.advance(0.1)
    assert bodies.update(world) is bodies
    assert len(bodies) == 41 and bodies.origin == CELL
    assert bodies.guids[:2].tolist() == [DRUDGE, sword], "what is held comes after its holder"
    assert bodies.matrices.shape == (bodies.count.sum(), 3, 4) and bodies.matrices.dtype == np.float32
    for row in (0, 2, 40):
        position = world.get(int(bodies.guids[row])).position
        assert tuple(bodies.origins[row]) == position.origin
        assert tuple(bodies.rotations[row]) == position.rotation
        assert bodies.cells[row] == position.cell
        # Parts are near their bodies.
        assert np.abs(bodies.parts(row)[:, :2, 3] - bodies.points[row, :2]).max() < 1.5
    memory, kept = bodies.matrices.__array_interface__["data"], copy.copy(bodies)
    world.advance(0.2)
    bodies.update(world)
    assert bodies.matrices.__array_interface__["data"] == memory, "nothing is allocated"
    assert (bodies.origins[2] != kept.origins[2]).any(), "the copy keeps what it had"
    near = bodies.update(world, within=(place(x=2, y=3), 1.2))
    assert 2 <= len(near) < 10


def test_matrices_are_written_into_the_array_of_a_caller():
    world = acmotion.World()
    world.spawn(DRUDGE, place())
    mine = np.full((100, 3, 4), 7.0, np.float32)
    bodies = acmotion.Bodies(mine)
    bodies.update(world)
    count = len(bodies.matrices)
    assert count > 10 and (mine[:count] == bodies.matrices).all() and (mine[count:] == 7.0).all()
    with pytest.raises(ValueError, match=f"there are {count} parts, but the array has room for 3"):
        acmotion.Bodies(np.zeros((3, 3, 4), np.float32)).update(world)
    with pytest.raises(ValueError, match="expected \\(n, 3, 4\\)"):
        acmotion.Bodies(np.zeros((3, 4), np.float32))
    with pytest.raises(ValueError, match="contiguous"):
        acmotion.Bodies(np.zeros((200, 3, 4), np.float32)[::2]).update(world)
    with pytest.raises(TypeError):
        acmotion.Bodies(np.zeros((100, 3, 4))).update(world)
    readonly = np.zeros((100, 3, 4), np.float32)
    readonly.setflags(write=False)
    with pytest.raises((TypeError, ValueError, RuntimeError)):
        acmotion.Bodies(readonly).update(world)


def test_points_cross_landblocks():
    world = acmotion.World()
    world.spawn(1, acmotion.Position(0xA9B40039, 191.0, 12.0, 94.0))
    world.spawn(2, acmotion.Position(0xAAB40001, 3.0, 12.0, 94.0))
    bodies = acmotion.Bodies().update(world, origin=0xA9B40001)
    assert bodies.points[:, 0].tolist() == [191.0, 195.0]
    assert abs(bodies.parts(1)[:, 0, 3].mean() - 195.0) < 1.0


def test_smooth_poses_lie_between_ticks():
    world = acmotion.World(presents_between_ticks=True)
    world.spawn(DRUDGE, place(), motion=("NonCombat", "RunForward"))
    run_on(world, 1.0)
    shown = [acmotion.Bodies().update(world, now=1.0 + share / 30, smooth=True).origins[0, 1] for share in (0, 0.5, 1)]
    assert shown[0] < shown[1] < shown[2]
    assert shown[1] == pytest.approx((shown[0] + shown[2]) / 2)


def test_snapshots_have_the_same_future():
    world = acmotion.World(player=PLAYER, surroundings="town")
    spawn = acmotion.landmarks()["spawn"]
    world.spawn(PLAYER, spawn)
    world.player.walk_to(acmotion.landmarks()["doorstep"], 0.0)
    run_on(world, 2.0)
    bytes_ = world.snapshot()
    restored, copied = acmotion.World.restore(bytes_, surroundings="town"), copy.copy(world)
    assert restored.snapshot() == copied.snapshot() == bytes_
    for one in (world, restored, copied):
        run_on(one, 2.0, start=2.0)
    assert world.snapshot() == restored.snapshot() == copied.snapshot() != bytes_
    with pytest.raises(acmotion.RestoreError):
        acmotion.World.restore(bytes_)
    with pytest.raises(acmotion.RestoreError):
        acmotion.World.restore(b"nothing of the kind", surroundings="town")


def test_steps_are_explained():
    world = acmotion.World(surroundings="town")
    wall = acmotion.landmarks()["wall"]
    world.spawn(DRUDGE, wall)
    assert world.explanation(DRUDGE) is None and not world.explain(7)
    assert world.explain(DRUDGE)
    world.order(DRUDGE, acmotion.Order.move_to(wall.moved(y=8.0)), 0.0)
    run_on(world, 3.0)
    why = world.explanation(DRUDGE)
    assert why["moveto"]["kind"] == "MoveToPosition" and why["moveto"]["distance"] > 1.0
    assert why["interpolation"] == {"kind": "idle"} and why["constraint"] == {"kind": "off"}
    assert 1 / 31 < why["quantum"] < 1 / 14 and len(why["velocity"]) == 3
    notes = [note for note in why["sweep"]["notes"] if note["kind"] == "contact"]
    assert notes and "scenery" in notes[0]["barrier"]


def test_states_are_a_table():
    world = acmotion.World()
    world.spawn(DRUDGE, place(), motion=("NonCombat", "WalkForward"))
    run_on(world, 0.5)
    [state] = world.states().to_dicts()
    one = world.get(DRUDGE).to_dict()
    assert (state["x"], state["y"], state["z"]) == tuple(one["origin"])
    assert [state[name] for name in ("qw", "qx", "qy", "qz")] == one["rotation"]
    assert [state[name] for name in ("vx", "vy", "vz")] == one["velocity"]
    assert [state[name] for name in ("shown_vx", "shown_vy", "shown_vz")] == one["shown_velocity"]
    for name in ("t", "heading", "contact", "on_walkable", "substate_speed", "frame", "moveto", "pending"):
        assert state[name] == one[name], name
    for name in ("guid", "cell", "style", "substate", "animation"):
        assert f"0x{state[name]:08X}" == one[name], name
    assert (state["interpolation_nodes"], state["interpolation_fails"]) == (0, 0)
    assert state["constraint_offset"] is one["constraint"] is None


def test_a_world_that_receives_a_scenario_has_the_digest_of_every_machine():
    """The world `scene` of acmotion-determinism, step by step through Python."""
    tick, ticks = 0.033_334, 600
    result = acmotion.simulate(SCENES / "chase.toml", seconds=ticks * tick, states=False)
    first = result.clients[0]
    view = next(view for view in result.views if view.removeprefix("self ") == first)
    received = [row for row in result.received.to_dicts() if row["to"] == view]
    guid = next(line["guid"] for line in result.summary if line["name"] == first)
    world = acmotion.World(player=int(guid, 16))
    for number in range(ticks):
        world.events()
        world.outbound()
        now = 10.0 + number * tick
        while received and received[0]["t"] <= number * tick:
            world.receive(received.pop(0)["raw"], now)
        world.tick(now)
        world.player.use_time(now)
    snapshot = world.snapshot()
    assert (len(snapshot), fnv1a(snapshot)) == pinned("Scene")


def running(guid: int, speed: float, turns: bool, stamp: int) -> bytes:
    """The bytes of an UpdateMotion, field by field (docs/wire.md)."""
    flags = 0x02 | 0x04 | (0x20 if turns else 0)
    head = struct.pack("<IIHHHBB", 0xF74C, guid, 0, stamp, 0, 1, 0)
    state = struct.pack("<BBHI", 0, 0, 0x3D, flags) + struct.pack("<H", 0x07)
    state += (struct.pack("<H", 0x0D) if turns else b"") + struct.pack("<f", speed)
    return head + state + bytes(-len(state) % 4)


def test_a_player_in_the_town_has_the_digest_of_every_machine():
    """The world `town` of acmotion-determinism: a player with requests and keys among creatures that collide."""
    player, door, first, count = 0x5000000A, 0x70000001, 0x50000100, 60
    town = acmotion.landmarks()
    world = acmotion.World(player=player, surroundings="town")
    world.spawn(player, town["spawn"], 10.0)
    world.spawn(door, town["door"], 10.0, setup=0x02000003, motion_table=0x09000003, creature=False)
    for number in range(count):
        start = town["spawn"].moved(x=number % 8 * 3.0 - 12.0, y=number // 8 * np.float32(2.2) - 14.0)
        heading = float(number * 77 % 360)
        world.spawn(first + number, acmotion.Position(start.cell, *start.origin, heading).outdoors(), 10.0)
    controls = world.player
    controls.set_skills(10.0, run_skill=200, jump_skill=300)
    keys = {
        10: lambda now: controls.walk_to(town["doorstep"], now),
        150: lambda now: controls.use_object(door, now),
        210: lambda now: controls.walk_to(town["hall"], now),
        330: lambda now: controls.press("WalkForward", now),
        345: lambda now: controls.press("Jump", now),
        360: lambda now: controls.release("Jump", now),
        400: lambda now: controls.release("WalkForward", now),
        430: lambda now: controls.set_stance("melee"),
        500: lambda now: controls.press("TurnLeft", now),
    }
    for tick in range(600):
        world.events()
        world.outbound()
        now = 10.0 + tick * 0.033_334
        if tick % 40 == 5:
            for number in range(count):
                speed = np.float32(0.4) + np.float32(number) / np.float32(40.0)
                world.receive(running(first + number, speed, (number + tick) % 3 == 0, 1 + tick), now)
        with contextlib.suppress(acmotion.RequestError):
            keys.get(tick, lambda now: None)(now)
        world.tick(now)
        controls.use_time(now)
    snapshot = world.snapshot()
    assert (len(snapshot), fnv1a(snapshot)) == pinned("Town")
