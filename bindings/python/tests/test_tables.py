"""Dat files and motion tables."""

from __future__ import annotations

import pytest

import acmotion


@pytest.fixture(scope="module")
def table() -> acmotion.MotionTable:
    return acmotion.Assets.mannequin().motion_table()


def test_a_slash_has_the_figures_of_the_command(table, command):
    slash = table.motion("SwordCombat", "SlashHigh")
    [line] = command("motion", "mannequin", "0x09000001", "SwordCombat", "SlashHigh")
    assert slash.to_dict() == line


def test_every_motion_of_every_style_has_the_figures_of_the_command(table, command):
    lines = command("motion", "mannequin", "0x09000001")
    assert len(lines) > 90
    for line in lines:
        timing = table.motion(line["style"], line["motion"], start=line["from"], speed=line["speed"])
        assert timing.to_dict() == line


def test_a_slash_has_the_stored_figures(table):
    slash = table.motion("SwordCombat", "SlashHigh")
    assert (slash.length, slash.cycle_length, slash.speed) == (29 / 30, 2.0, 1.0)
    assert (slash.style_name, slash.name, slash.motion) == ("SwordCombat", "SlashHigh", 0x1000005B)
    [segment] = slash.link
    assert (segment.animation, segment.low, segment.high, segment.framerate) == (0x030000D1, 0, 28, 30.0)
    assert slash.cycle.animation == 0x03000041 and slash.cycle.start == slash.length
    assert [hook.name for hook in slash.hooks] == ["SoundTable", "Attack"]
    [hit] = slash.attacks
    assert (hit.frame, hit.time, hit.share) == (13, 14 / 30, 14 / 29)
    assert hit.payload["radius"] == 1.6


def test_speed_shortens_a_motion(table):
    walk = table.motion("NonCombat", "WalkForward")
    fast = table.motion("NonCombat", "WalkForward", speed=2.0)
    assert fast.cycle_length == pytest.approx(walk.cycle_length / 2)


def test_undefined_motions_raise_with_the_text_of_the_engine(table):
    with pytest.raises(acmotion.UndefinedMotion, match="^there is no SlashHigh in style NonCombat$"):
        table.motion("NonCombat", "SlashHigh")
    with pytest.raises(acmotion.UndefinedMotion, match="in style CrossbowCombat"):
        table.motions("CrossbowCombat")
    with pytest.raises(ValueError, match="`Slash` is neither the name of a motion"):
        table.motion("SwordCombat", "Slash")
    with pytest.raises(ValueError, match="is not a speed"):
        table.motion("SwordCombat", "SlashHigh", speed=float("nan"))


def test_styles_and_motions_are_listed(table):
    assert table.styles()["NonCombat"] == "Ready"
    motions = table.motions("SwordCombat")
    assert "RunForward" in motions["cycles"] and "SlashHigh" in motions["actions"]
    assert any(link == ("Ready", "SlashHigh") for link in motions["links"])


def test_motions_have_names_and_ids():
    assert acmotion.motion_id("RunForward") == 0x44000007
    assert acmotion.motion_name(0x44000007) == "RunForward"
    assert acmotion.motion_id("0x44000007") == 0x44000007
    assert acmotion.motion_name(0x12345678) is None


def test_objects_are_those_of_the_command(command):
    assets = acmotion.Assets.mannequin()
    assert assets.ids("MotionTable")[0] == 0x09000001
    assert len(assets.ids()) > len(assets.ids("Animation")) > 100
    [line] = command("dat", "show", "mannequin", "0x09000001")
    assert assets.object(0x09000001) == line["object"]
    assert isinstance(assets.read(0x09000001), bytes)


def test_a_dat_file_is_opened_by_its_path(tmp_path, command):
    path = tmp_path / "m.dat"
    command("dat", "mannequin", path)
    opened = acmotion.Assets.open(path)
    assert opened.ids() == acmotion.Assets.mannequin().ids()
    assert opened.motion_table().motion("SwordCombat", "SlashHigh").length == 29 / 30


def test_missing_and_damaged_files_raise(tmp_path):
    with pytest.raises(FileNotFoundError) as missing:
        acmotion.Assets.open(tmp_path / "none.dat")
    assert missing.value.filename == str(tmp_path / "none.dat")
    for use in (acmotion.decode_table, acmotion.replay, lambda path: list(acmotion.decode(path))):
        with pytest.raises(OSError):
            use(tmp_path)
    path = tmp_path / "damaged.dat"
    path.write_bytes(bytes(2000))
    with pytest.raises(acmotion.DatError, match="not a dat file: the magic number"):
        acmotion.Assets.open(path)
    with pytest.raises(acmotion.DatError, match="there is no object 0x09000077 in this file"):
        acmotion.Assets.mannequin().motion_table(0x09000077)
    with pytest.raises(ValueError, match="`Cheese` is not an object type"):
        acmotion.Assets.mannequin().ids("Cheese")
