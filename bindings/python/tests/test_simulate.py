"""Simulations, replays and checks."""

from __future__ import annotations

import json

import numpy as np
import pytest
from conftest import SCENES

import acmotion

SCENE = SCENES / "laggy_duel.toml"
#: The number of states of that scene: each view has two entities and ticks at its own rate.
STATES = 3_330


def without(line: dict, *names: str) -> dict:
    return {name: value for name, value in line.items() if name not in names}


def test_a_scenario_has_the_lines_of_the_command(duel, command):
    lines = command("simulate", SCENE)
    states = [line for line in lines if "event" not in line]
    columns = duel.states.to_pyarrow().to_pydict()
    assert columns["view"] == [line["view"] for line in states]
    assert columns["t"] == [line["t"] for line in states]
    assert [f"0x{guid:08X}" for guid in columns["guid"]] == [line["guid"] for line in states]
    origins = list(zip(columns["x"], columns["y"], columns["z"]))
    assert origins == [tuple(line["origin"]) for line in states]
    assert columns["heading"] == [line["heading"] for line in states]
    assert columns["frame"] == [line["frame"] for line in states]
    assert columns["interpolation_fails"] == [line["interpolation"]["fails"] for line in states]
    messages = ("sent", "received", "summary", "refused")
    events = [without(line, "view") for line in lines if line.get("event") not in (None, *messages)]
    assert [json.loads(text) for text in duel.events["json"]] == events
    assert duel.summary == [line for line in lines if line.get("event") == "summary"]
    sent = [line for line in lines if line.get("event") == "sent"]
    assert [raw.hex() for raw in duel.sent["raw"]] == [line["raw_hex"] for line in sent]
    assert duel.sent["name"].tolist() == [line["name"] for line in sent]
    received = [line for line in lines if line.get("event") == "received"]
    assert duel.received["t"].tolist() == [line["t"] for line in received]
    assert duel.received["duplicate"].tolist() == [line["duplicate"] for line in received]


def test_a_scenario_has_the_stored_figures(duel):
    assert duel.views == ["server", "self Swift", "self Lag"] and duel.clients == ["Swift", "Lag"]
    assert len(duel.states) == STATES
    [swift, lag] = [line for line in duel.summary if line["view"].startswith("self")]
    assert {swift["name"], lag["name"]} == {"Swift", "Lag"}
    errors = duel.errors.to_pandas()
    measured = errors[errors.view == swift["view"]]["error"]
    assert measured.max() == pytest.approx(swift["error"]["worst"], abs=1e-6)
    assert measured.mean() == pytest.approx(swift["error"]["mean"], rel=1e-4)


def test_a_capture_of_a_client_is_replayed_as_the_command_does(duel, tmp_path, command):
    path = tmp_path / "swift.jsonl"
    path.write_bytes(duel.capture("Swift"))
    lines = command("replay", path)
    result = acmotion.replay(path)
    states = [line for line in lines if "event" not in line]
    columns = result.states.to_pyarrow().to_pydict()
    assert columns["t"] == [line["t"] for line in states]
    assert list(zip(columns["x"], columns["y"], columns["z"])) == [tuple(line["origin"]) for line in states]
    assert columns["heading"] == [line["heading"] for line in states]
    assert columns["shown_vx"] == [line["shown_velocity"][0] for line in states]
    events = [line for line in lines if "event" in line]
    assert [json.loads(text) for text in result.events["json"]] == events
    assert result.events["event"].tolist() == [line["event"] for line in events]


def test_a_capture_has_the_times_at_the_client(duel):
    rows = [row for row in duel.received.to_dicts() if row["to"] == "self Lag"]
    arrived = sorted(row["arrived"] for row in rows)
    messages = list(acmotion.decode(duel.capture("Lag"), all=True))
    assert [message.time for message in messages if message.direction == "S2C"] == arrived
    sent = [row["t"] for row in duel.sent.to_dicts() if row["from"] == "self Lag"]
    assert [message.time for message in messages if message.direction == "C2S"] == sent


def test_a_replay_has_reports_and_names(duel):
    result = acmotion.replay(duel.capture("Swift"))
    assert set(result.names.values()) >= {"Swift", "Lag"}
    assert result.totals["messages"] == len(list(acmotion.decode(duel.capture("Swift"), all=True)))
    assert result.totals["unreadable"] == 0 and result.problems == [] and result.ticks > 500
    reports = result.reports.to_pandas()
    lag = next(guid for guid, name in result.names.items() if name == "Lag")
    swift = next(guid for guid, name in result.names.items() if name == "Swift")
    assert set(reports[reports.source == "client"].guid) == {swift}
    of_lag = reports[(reports.guid == lag) & reports.shown_x.notna()]
    distance = np.hypot(of_lag.x - of_lag.shown_x, of_lag.y - of_lag.shown_y)
    assert len(of_lag) > 3 and np.allclose(distance, of_lag.error, atol=1e-3)


def test_heights_do_not_count_as_errors():
    jumps = acmotion.simulate(SCENES / "sprint_and_strafe_jump.toml", states=False).capture("Near")
    reports = acmotion.replay(jumps).reports.to_pandas().dropna(subset=["error"])
    assert (reports.z - reports.shown_z).abs().max() > 0.05
    distance = np.hypot(reports.x - reports.shown_x, reports.y - reports.shown_y)
    assert np.allclose(distance, reports.error, atol=1e-3)


def test_a_replay_tells_of_snaps(out_of_range):
    """Beyond 96 m a body moves by snaps alone (rule D7), each as far as the report is off."""
    result = acmotion.replay(out_of_range)
    snaps = result.events.to_pandas().query("event == 'snap'")
    assert len(snaps) == result.totals["snaps"] > 5
    reports = result.reports.to_pandas()
    for snap in snaps.itertuples():
        [report] = reports[(reports.guid == snap.guid) & (reports.t == snap.t)].itertuples()
        assert snap.distance == pytest.approx(report.error, abs=0.01)
    assert snaps.distance.max() == pytest.approx(9.73, abs=0.01)


def test_only_the_states_that_are_asked_for_are_recorded(duel):
    capture = duel.capture("Swift")
    everything = acmotion.replay(capture)
    lag = next(guid for guid, name in everything.names.items() if name == "Lag")
    only = acmotion.replay(capture, guids=[lag])
    assert set(only.states["guid"]) == {lag}
    assert only.states["x"].tolist() == everything.states["x"][everything.states["guid"] == lag].tolist()
    assert len(acmotion.replay(capture, states=False).states) == 0
    with pytest.raises(acmotion.LimitError, match="more than 100 states: name the entities of interest"):
        acmotion.replay(capture, max_states=100)
    with pytest.raises(acmotion.LimitError):
        acmotion.simulate(SCENE, max_states=100)


def test_a_replay_takes_land(duel):
    result = acmotion.replay(duel.capture("Swift"), cell="town")
    assert result.ticks > 500
    with pytest.raises(TypeError, match="expected a cell file"):
        acmotion.replay(duel.capture("Swift"), cell=acmotion.Scene.town())


def test_scenarios_are_parsed_and_changed():
    scenario = acmotion.Scenario.load(SCENE)
    assert (scenario.title, scenario.seconds, scenario.seed) == ("Laggy duel", 20.0, 5)
    assert scenario.clients == ["Swift", "Lag"] and scenario.creatures == []
    other = acmotion.simulate(scenario.with_seed(6), seconds=4.0, states=False)
    same = acmotion.simulate(scenario, seconds=4.0, states=False)
    assert other.received["t"].tolist() != same.received["t"].tolist()
    with pytest.raises(acmotion.ScenarioError, match="^line 2: ") as error:
        acmotion.Scenario.parse('title = "x"\nseconds = "long"\n')
    assert error.value.line == 2
    with pytest.raises(FileNotFoundError):
        acmotion.simulate(SCENES / "none.toml")
    with pytest.raises(KeyError, match="no client `Third`; there are Swift, Lag"):
        same.capture("Third")
    with pytest.raises(ValueError, match="seconds is inf"):
        acmotion.simulate(scenario, seconds=float("inf"))


def test_honest_clients_pass_and_cheats_are_found():
    honest = acmotion.check_scenario(SCENES / "walk_and_turn.toml")
    assert all(line["alarms"] == 0 for line in honest) and honest[0]["reports"] > 5
    found = acmotion.check_scenario(SCENES / "walk_and_turn.toml", cheat="offset", start=2.0)
    assert found[0]["alarms"] > 0 and "teleported" in found[0]["findings"]
    assert found[0]["first_alarms"][0]["text"].endswith("m away from where its motion leads")
    with pytest.raises(ValueError, match="`luck` is not a cheat: expected one of speed"):
        acmotion.check_scenario(SCENES / "walk_and_turn.toml", cheat="luck")


def test_a_checker_watches_one_client():
    """A checker fed by hand says what the one of the simulation says."""
    scenario = acmotion.Scenario.load(SCENES / "walk_and_turn.toml")
    run = acmotion.simulate(scenario, seconds=scenario.seconds + 3.0, states=False)
    name = scenario.clients[0]
    guid = int(next(line["guid"] for line in run.summary if line["name"] == name), 16)
    view = f"self {name}"
    sent = [(row["t"], 0, row["raw"]) for row in run.sent.to_dicts() if (row["from"], row["to"]) == ("server", view)]
    received = [(row["t"], 1, row["raw"]) for row in run.received.to_dicts() if row["from"] == view]
    checker = acmotion.Checker(guid)
    verdicts = []
    for time, is_client, message in sorted(sent + received, key=lambda one: one[:2]):
        if is_client:
            verdict = checker.receive(message, time)
            verdicts += [verdict] if verdict else []
        else:
            checker.sent(message, time)
    assert len(verdicts) == acmotion.check_scenario(scenario)[0]["reports"]
    assert not any(verdict.is_alarm for verdict in verdicts)
    assert {verdict.method for verdict in verdicts} >= {"none"} and str(verdicts[0]) == "ok"
    assert checker.position is not None
    replayed = checker.receive(received[-1][2], 60.0)
    assert (replayed.finding, replayed.is_alarm) == ("stamp_replayed", True)
    with pytest.raises(ValueError, match="tolerance is -1"):
        acmotion.Checker(guid, tolerance=-1.0)
