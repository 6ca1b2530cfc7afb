"""Exports captures to tables on many machines: Spark hands out the captures, and the `acmotion` command on each executor
decodes them and runs them through the engine.

    spark-submit export_captures.py /share/captures --out /share/tables
    spark-submit export_captures.py /share/captures --out /share/tables -- --only messages

The captures and the folder of the tables have to be at the same paths on all machines, and the command has to be there as well
(`--command` says where). The tables are the same as those of `acmotion export tables` on one machine: each capture is a
partition of its own, which is moved to its place when it is complete. Captures that are there already are skipped, so that the
job can be repeated. Executors have working folders of their own, so the column `file` of `captures` has absolute paths. The arguments after `--` are passed on to the command.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, Iterable, Iterator

from pyspark.sql import SparkSession

#: The ends of the names of captures, as the command knows them.
CAPTURE_ENDS = (".pcap", ".pcapng", ".cap", ".jsonl")
PACKED_ENDS = (".gz", ".zst", ".zstd")
ARCHIVE_END = ".zip"


def is_capture(path: Path) -> bool:
    """Tells whether a file of a folder is a capture or an archive of captures, by its name."""
    name = path.name.lower()
    # One packed end may follow, and something stands before each end.
    packed = next((end for end in PACKED_ENDS if len(name) > len(end) and name.endswith(end)), "")
    stem = name.removesuffix(packed)
    has_end = lambda name, ends: any(len(name) > len(end) and name.endswith(end) for end in ends)
    return path.is_file() and (has_end(stem, CAPTURE_ENDS) or has_end(name, [ARCHIVE_END]))


def find_captures(paths: Iterable[str]) -> list[str]:
    """Returns the captures in files and folders, in the order of the command."""
    found = []
    for path in map(Path, paths):
        files = [file for file in path.rglob("*") if is_capture(file)] if path.is_dir() else [path]
        found += sorted(files, key=lambda file: file.parts)
    return [str(path.resolve()) for path in found]


def export(captures: Iterator[tuple[int, str]], command: str, out: str, options: list[str]) -> Iterator[tuple[int, str]]:
    """Exports numbered captures on an executor. Yields what the command says about each, one JSON object a line."""
    for number, capture in captures:
        line = [command, "export", "tables", capture, "--out", out, "--jobs", "1", "--json", *options]
        done = subprocess.run(line, capture_output=True, text=True)
        # A damaged capture is exported as far as it can be read, and is described. Anything else is an error.
        if not done.stdout:
            raise RuntimeError(f"{capture}: {done.stderr.strip() or f'exit code {done.returncode}'}")
        yield from ((number, line) for line in done.stdout.splitlines())


def export_all(
    spark: SparkSession, captures: list[tuple[int, str]], command: str, out: str, options: list[str]
) -> list[tuple[int, dict[str, Any]]]:
    """Exports numbered captures on all executors. Returns what became of each, in their order."""
    # The largest first, so that no long one is left for the end, and one at a time for each core: Spark hands out the next
    # when one is done.
    order = sorted(captures, key=lambda capture: -Path(capture[1]).stat().st_size)
    shares = spark.sparkContext.parallelize(order, max(1, len(order)))
    lines = shares.mapPartitions(lambda share: export(share, command, out, options)).collect()
    return [(number, json.loads(line)) for number, line in sorted(lines, key=lambda line: line[0])]


def run(spark: SparkSession, captures: list[str], command: str, out: str, options: list[str]) -> list[dict[str, Any]]:
    """Exports captures on all executors and returns what became of each, as the command on one machine says it."""
    found = export_all(spark, list(enumerate(captures)), command, out, options)
    same = defaultdict(list)
    for number, outcome in found:
        if outcome["capture"]:
            same[outcome["capture"]].append((number, outcome))
    again = {}
    for key, several in same.items():
        # Those that this job wrote: exported ones, and the rows of those that cannot be read.
        written = [bool(outcome["rows"]) for _, outcome in several]
        if len(several) == 1 or not any(written):
            continue
        (number, first), *others = several
        for _, other in others:
            other["rows"] = {}
            if other["status"] != "unreadable":
                other["status"] = "duplicate"
        # Of captures with the same contents the tables name the first, which need not be the one that was done first.
        if not written[0] or sum(written) > 1:
            for row in Path(out, "captures", f"capture={key}").glob("part-0.*"):
                row.unlink()
            again[key] = (number, first)
    numbers = sorted({number for number, _ in again.values()})
    if numbers:
        for _, outcome in export_all(spark, [(number, captures[number]) for number in numbers], command, out, options):
            if outcome["rows"]:
                again[outcome["capture"]][1].update(outcome)
    return [outcome for _, outcome in found]


def main() -> int:
    parser = argparse.ArgumentParser(description="Exports captures to tables on many machines.")
    parser.add_argument("captures", nargs="+", help="captures and folders of captures")
    parser.add_argument("--out", required=True, help="the folder of the tables")
    parser.add_argument("--command", default="acmotion", help="the acmotion command on the executors")
    own, rest = sys.argv[1:], []
    if "--" in own:
        own, rest = own[: own.index("--")], own[own.index("--") + 1 :]
    arguments = parser.parse_args(own)
    spark = SparkSession.builder.appName("acmotion export tables").getOrCreate()
    try:
        captures = find_captures(arguments.captures)
        outcomes = run(spark, captures, arguments.command, str(Path(arguments.out).resolve()), rest)
    finally:
        spark.stop()
    # What is wrong with the captures that were there already has been said before.
    damaged = [outcome for outcome in outcomes if outcome["first_error"] and outcome["status"] != "present"]
    for outcome in damaged:
        print(f"{outcome['file']}: {outcome['first_error']}", file=sys.stderr)
    counts = Counter(outcome["status"] for outcome in outcomes)
    print(", ".join(f"{count} {status}" for status, count in sorted(counts.items())) or "no captures")
    return int(bool(damaged))


if __name__ == "__main__":
    sys.exit(main())
