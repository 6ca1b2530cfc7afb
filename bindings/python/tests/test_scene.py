"""Questions about land, rooms and walls."""

from __future__ import annotations

import pytest

import acmotion

TOWN = acmotion.landmarks()


@pytest.fixture(scope="module")
def scene() -> acmotion.Scene:
    return acmotion.Scene.town()


def test_heights_and_ground(scene):
    spawn = TOWN["spawn"]
    assert scene.height_at(spawn) == pytest.approx(spawn.z, abs=0.05)
    ground = scene.ground_at(spawn.moved(z=3.0))
    assert ground.surface == "land" and ground.walkable and ground.guid is None
    assert ground.height == pytest.approx(spawn.z, abs=0.05) and ground.normal[2] > 0.9
    assert ground.position.distance_to(spawn) < 0.1 and ground.standing_height == ground.height - ground.depth
    assert scene.height_at(TOWN["hall"]) is None, "there is no land in a room"
    assert scene.ground_at(TOWN["hall"].moved(z=0.5)).surface == "room"
    assert scene.ground_at(acmotion.Position(0x01010001, 1, 1, 1)) is None


def test_walls_stop_sight_and_bodies(scene):
    eye, beyond = TOWN["wall"].moved(z=1.5), TOWN["wall"].moved(y=8.0, z=1.5)
    assert scene.line_of_sight(eye, eye.moved(y=-3.0)) is None
    wall = scene.line_of_sight(eye, beyond)
    assert str(wall) == "scenery is in the way" and wall.surface == "scenery" and 0 < wall.share < 1
    assert wall.position.distance_to(eye) < 8 and wall.normal[1] < -0.9
    stopped = scene.sweep(TOWN["wall"], TOWN["wall"].moved(y=8.0))
    assert "scenery" in stopped.barrier and stopped.contact
    assert stopped.position.distance_to(TOWN["wall"]) < 7
    free = scene.sweep(TOWN["wall"], TOWN["wall"].moved(y=-3.0))
    assert free.barrier is None and free.position.distance_to(TOWN["wall"]) == pytest.approx(3.0, abs=0.1)
    missile = scene.sweep(eye, beyond, "fly")
    assert missile.position is None or missile.position.distance_to(eye) < 7


def test_where_a_body_can_stand(scene):
    assert scene.can_stand_at(TOWN["spawn"]).distance_to(TOWN["spawn"]) < 0.2
    with pytest.raises(acmotion.SceneError, match="there is no cell at the position"):
        scene.can_stand_at(acmotion.Position(0x01010001, 1, 1, 1))
    assert TOWN["hall"].cell in scene.visible_cells(TOWN["hall"].cell) or scene.visible_cells(TOWN["hall"].cell)


def test_worlds_answer_with_their_entities():
    world = acmotion.World(surroundings=acmotion.Scene.town())
    spawn, guard = TOWN["spawn"], 0x50000001
    world.spawn(guard, spawn)
    eyes = spawn.moved(y=-3.0, z=1.3), spawn.moved(y=3.0, z=1.3)
    assert world.line_of_sight(*eyes) is None
    hit = world.line_of_sight(*eyes, entities="all")
    assert (hit.surface, hit.guid, str(hit)) == ("entity", guard, "entity 0x50000001 is in the way")
    assert world.line_of_sight(*eyes, entities="all", ignoring=[guard]) is None
    assert world.line_of_sight(*eyes, entities="objects") is None
    swept = world.sweep(spawn.moved(y=-3.0), spawn.moved(y=3.0), entities="all")
    assert swept.touched == [guard]
    assert world.within(spawn, 1.0) == [guard] and world.within(spawn.moved(x=9.0), 1.0) == []
    assert world.height_at(spawn) == acmotion.Scene.town().height_at(spawn)
    assert world.ground_at(spawn.moved(z=1.0)).surface == "land"
    assert acmotion.World().height_at(spawn) is None


def test_land_comes_from_files(tmp_path, command):
    portal, cells = tmp_path / "m.dat", tmp_path / "town.dat"
    command("dat", "mannequin", portal, "--cell", cells)
    scene = acmotion.Scene.load(cells, acmotion.Assets.open(portal))
    assert scene.blocks == acmotion.Scene.town().blocks
    world = acmotion.World(acmotion.Assets.open(portal), surroundings=cells)
    assert world.height_at(TOWN["spawn"]) == scene.height_at(TOWN["spawn"])
    with pytest.raises(acmotion.Error):
        acmotion.Scene.load(portal)
    with pytest.raises(FileNotFoundError):
        acmotion.World(surroundings=tmp_path / "none.dat")
    with pytest.raises(TypeError, match="expected None, 'town', the path of a cell file"):
        acmotion.World(surroundings=7)


def test_positions_are_values():
    one = acmotion.Position(0xA9B40001, 1.0, 2.0, 3.0, 90.0)
    same = acmotion.Position(0xA9B40001, 1.0, 2.0, 3.0, rotation=one.rotation)
    assert one.heading == pytest.approx(90.0) and one.origin == (1.0, 2.0, 3.0)
    assert same == one or same.heading == pytest.approx(one.heading)
    assert one == acmotion.Position(0xA9B40001, 1.0, 2.0, 3.0, 90.0) and one != one.moved(x=1.0)
    assert hash(one) == hash(acmotion.Position(0xA9B40001, 1.0, 2.0, 3.0, 90.0))
    assert one.offset_to(acmotion.Position(0xAAB40001, 1.0, 2.0, 3.0)) == (192.0, 0.0, 0.0)
    assert one.heading_to(one.moved(x=5.0)) == pytest.approx(90.0)
    with pytest.raises(ValueError, match="is not a rotation"):
        acmotion.Position(0xA9B40001, 1.0, 2.0, 3.0, rotation=(float("nan"), 0, 0, 0))
    with pytest.raises(AttributeError):
        one.x = 5.0
