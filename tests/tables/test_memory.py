"""Many captures at a time take little memory together."""

from __future__ import annotations

import re

import pytest

import made_captures

#: What docs/tables.md promises, in MB.
MOST = 300


@pytest.mark.parametrize("options", [(), ("--only", "messages")])
def test_sixteen_captures_at_a_time_stay_below_the_promise(run, tmp_path, options):
    folder = tmp_path / "captures"
    folder.mkdir()
    for number in range(16):
        # Long enough to fill the memory for rows, and of different contents.
        (folder / f"{number}.jsonl").write_bytes(made_captures.lines(made_captures.crowd(100, 60 + number)))
    done = run("export", "tables", folder, "--out", tmp_path / "tables", "--jobs", 16, *options)
    found = re.search(r"peak memory (\d+) MB", done.stderr)
    if not found:
        pytest.skip("this system does not tell the peak of memory")
    assert int(found[1]) < MOST
