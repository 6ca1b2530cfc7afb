"""The questions of docs/tables.md, as they are printed there."""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from conftest import ROOT, need
from made_captures import lines, run_rates

polars = need("polars")

PAGE = (ROOT / "docs" / "tables.md").read_text(encoding="utf-8")
#: The player of the recording, who is the one of the third query.
PLAYER = 0x501417CA


def f32(number: float) -> float:
    return struct.unpack("<f", struct.pack("<f", number))[0]


def recorded_rates() -> dict[tuple[int, int], float]:
    """The run rates of docs/recorded.md by strength and burden."""
    page = (ROOT / "docs" / "recorded.md").read_text(encoding="utf-8")
    [table] = re.findall(r"\| strength \| burden → rate \|\n\|[-|]+\|\n((?:\|.*\|\n?)+)", page)
    rows = re.findall(r"\| (\d+) \| (.*) \|", table)
    pairs = [(int(strength), *pair.split(" → ")) for strength, line in rows for pair in line.split(", ")]
    return {(strength, int(burden)): f32(float(rate)) for strength, burden, rate in pairs}


def check_rates(dataset: Path) -> None:
    """Compares the answer with docs/recorded.md: every pair and no other, each with one rate, to the bit."""
    recorded = recorded_rates()
    assert len(recorded) == 21
    assert ask(2, dataset) == [(strength, burden, rate) for (strength, burden), rate in sorted(recorded.items())]


def ask(number: int, dataset: Path) -> list[tuple]:
    """Runs one of the queries of the page."""
    queries = re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL)
    assert len(queries) == 3
    return duckdb.sql(queries[number].replace("'tables/", f"'{dataset}/")).fetchall()


def check_interrupted(dataset: Path) -> list[tuple]:
    """Compares the answer with that of Polars."""
    answer = ask(0, dataset)
    ended = polars.scan_parquet(f"{dataset}/events/", hive_partitioning=True).filter(polars.col("event") == "motion_done")
    counted = ended.group_by("motion_name").agg((~polars.col("success")).sum().alias("interrupted"), polars.len()).collect()
    expected = sorted(counted.rows(), key=lambda row: (-row[1], row[0]))[:10]
    assert answer == expected
    return answer


def check_errors(dataset: Path) -> list[tuple]:
    answer = ask(1, dataset)
    reports = polars.scan_parquet(f"{dataset}/reports/", hive_partitioning=True)
    counted = reports.filter(polars.col("error").is_not_null() & polars.col("speed").is_not_null()).collect()
    assert sum(row[1] for row in answer) == len(counted) > 0
    assert max(row[4] for row in answer) == counted["error"].max()
    assert all(0 <= median <= p95 <= worst for _, _, median, p95, worst in answer)
    return answer


def commands_of_the_readme() -> list[str]:
    """The export and the query that follows it."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.findall(r"^(acmotion export tables .*)\n(duckdb .*)$", readme, re.MULTILINE)
    return [line.split("  #")[0] for line in found[0]]


@pytest.mark.parametrize("page", ["docs/tables.md", "README.md"])
def test_the_first_commands_of_the_page(command, captures, tmp_path, page):
    """From a folder of captures to an answer of DuckDB, as it is printed."""
    folders = [Path(command).parent, Path(sys.executable).parent]
    path = os.pathsep.join([*map(str, folders), os.environ["PATH"]])
    if not shutil.which("duckdb", path=path):
        pytest.skip("the command of DuckDB is missing")
    first = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)[0].splitlines()
    [export, query] = commands_of_the_readme() if page == "README.md" else first
    (tmp_path / "captures").symlink_to(captures)
    run = lambda line: subprocess.run(["sh", "-c", line], cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, text=True)
    # One of the captures is damaged, and one cannot be read.
    assert run(export).returncode == 1
    answer = run(query)
    assert answer.returncode == 0, answer.stderr
    assert re.search(r"UpdatePosition\W+%d\b" % (6 * 30 + 3 * 20 + 2 * 12 + 9 + 5), answer.stdout), answer.stdout


def test_which_motions_are_interrupted_most(dataset):
    answer = check_interrupted(dataset)
    assert answer[0][1] > 0


def test_errors_by_speed(dataset):
    # Bodies that run in circles at 4 m/s.
    assert {row[0] for row in check_errors(dataset)} <= {0.0, 1.0, 2.0, 3.0, 4.0, 5.0}


def test_the_questions_of_a_recording(recordings):
    interrupted = check_interrupted(recordings)
    assert interrupted[0][1] > 10
    assert len(check_errors(recordings)) > 4


def test_run_rates_of_a_made_capture(run, tmp_path):
    """The pairs of docs/recorded.md, in messages made by hand."""
    capture = tmp_path / "rates.jsonl"
    capture.write_bytes(lines(run_rates(PLAYER, recorded_rates())))
    run("export", "tables", capture, "--out", tmp_path / "tables", "--only", "messages")
    check_rates(tmp_path / "tables")


def test_run_rates_of_a_recording(recordings):
    """21 pairs in 674 messages."""
    check_rates(recordings)
    [(messages,)] = duckdb.sql(
        f"SELECT count(*) FROM '{recordings}/messages/*/*.parquet' "
        f"WHERE guid = {PLAYER} AND forward_command = {0x44000007} AND forward_speed IS NOT NULL"
    ).fetchall()
    assert messages == 674
