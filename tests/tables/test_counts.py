"""The tables have what `acmotion decode --json` prints."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import duckdb
import pytest


@pytest.fixture(scope="module")
def files(dataset: Path) -> dict[str, str]:
    """The partitions of the captures by the names of their files."""
    rows = duckdb.sql(f"SELECT file, capture FROM '{dataset}/captures/*/*.parquet'").fetchall()
    return dict(rows)


def test_every_capture_has_a_row_and_the_damaged_one_says_why(dataset, captures, files):
    expected = ["cut.zip", "damaged.jsonl", "more/archive.zip/folder/two.jsonl", "more/archive.zip/one.jsonl", "packed.jsonl.gz", "plain.jsonl"]
    assert sorted(files) == [f"{captures}/{name}" for name in expected]
    rows = duckdb.sql(
        f"SELECT errors, undecodable, first_error, first_bad_offset, messages FROM '{dataset}/captures/*/*.parquet' "
        "WHERE errors + undecodable > 0 ORDER BY file"
    ).fetchall()
    text = (captures / "damaged.jsonl").read_bytes()
    cut, damaged = rows
    assert damaged == (1, 1, "line 4, column 1: expected an object", text.index(b"this is no"), 5 * 4 + 2)
    assert (cut[0], cut[1], cut[3], cut[4]) == (1, 0, 0, 0) and "invalid Zip archive" in cut[2]
    assert files[f"{captures}/cut.zip"].startswith("u")
    for table in ("messages", "states"):
        [(count,)] = duckdb.sql(f"SELECT count(*) FROM '{dataset}/{table}/*/*.parquet' WHERE capture LIKE 'u%'").fetchall()
        assert count == 0, table


@pytest.mark.parametrize("name", ["plain.jsonl", "packed.jsonl.gz", "damaged.jsonl", "more/archive.zip"])
def test_counts_are_those_of_decode(dataset, captures, files, decoded, name):
    keys = [key for file, key in files.items() if file.startswith(f"{captures}/{name}")]
    counted = duckdb.sql(
        f"SELECT name, is_movement, count(*) FROM '{dataset}/messages/*/*.parquet' WHERE capture IN {tuple(keys) + ('',)} GROUP BY ALL"
    ).fetchall()
    for options, is_wanted in (((), lambda movement: movement), (("--all",), lambda movement: True)):
        table = Counter()
        for kind, movement, count in counted:
            table[kind] += count * is_wanted(movement)
        assert +table == Counter(line["name"] for line in decoded(captures / name, *options))


def test_counts_of_recordings_are_those_of_decode(run, decoded, recording_files, tmp_path):
    run("export", "tables", *recording_files, "--out", tmp_path, "--only", "messages")
    counted = duckdb.sql(
        f"SELECT file, name, count(*) FROM '{tmp_path}/messages/*/*.parquet' JOIN '{tmp_path}/captures/*/*.parquet' USING (capture) GROUP BY ALL"
    ).fetchall()
    for path in recording_files:
        table = Counter({name: count for file, name, count in counted if file == str(path)})
        assert table == Counter(line["name"] for line in decoded(path, "--all")) and table, path.name


def test_positions_and_motions_are_those_of_decode(dataset, captures, files, decoded):
    key = files[f"{captures}/plain.jsonl"]
    rows = duckdb.sql(
        "SELECT t, guid, cell, x, y, z, style, forward_command, hex(raw) AS raw, epoch_us(time) AS time "
        f"FROM '{dataset}/messages/*/*.parquet' WHERE capture = '{key}' AND is_movement ORDER BY message"
    ).fetchall()
    lines = decoded(captures / "plain.jsonl")
    assert len(rows) == len(lines) > 300
    for (t, guid, cell, x, y, z, style, command, raw, time), line in zip(rows, lines):
        assert (f"0x{guid:08X}" if guid else None, raw.lower()) == (line["guid"], line["raw_hex"])
        assert time == round(line["time"] * 1e6) and abs(t - (line["time"] - lines[0]["time"])) < 1e-6
        place = line["decoded"].get("position")
        assert (place is None) == (cell is None)
        if place:
            assert (f"0x{cell:08X}", [x, y, z]) == (place["cell"], place["origin"])
        if "movement" in line["decoded"]:
            state = line["decoded"]["movement"]["state"]
            assert (f"0x{style:08X}", f"0x{command:08X}") == (state["current_style"], state["forward_command"])


def test_sends_are_the_clients_messages(dataset):
    [(sends, messages, seconds)] = duckdb.sql(
        f"SELECT (SELECT count(*) FROM '{dataset}/sends/*/*.parquet'), "
        f"(SELECT count(*) FROM '{dataset}/messages/*/*.parquet' WHERE direction = 'C2S' AND is_movement), "
        f"(SELECT max(since_last) FROM '{dataset}/sends/*/*.parquet')"
    ).fetchall()
    assert sends == messages == 30 + 20 + 12 + 9 + 5
    assert abs(seconds - 1.0) < 1e-6


def test_a_second_run_writes_nothing(run, captures, dataset):
    before = {path: path.stat().st_mtime_ns for path in dataset.rglob("*") if path.is_file()}
    # What cannot be read is tried again, and said again.
    done = run("export", "tables", captures, "--out", dataset, code=1)
    assert "6 captures: 0 exported, 5 there already, 1 could not be read" in done.stdout
    assert {path: path.stat().st_mtime_ns for path in dataset.rglob("*") if path.is_file()} == before
