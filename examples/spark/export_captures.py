"""Exports captures to tables on many machines: Spark hands out the captures, and the `acmotion` command on each executor
decodes them and runs them through the engine.

    spark-submit export_captures.py /share/captures --out /share/tables
    spark-submit export_captures.py /share/captures --out /share/tables -- --only messages

The captures and the folder of the tables have to be at the same paths on all machines, and the command has to be there as well
(`--command` says where). The tables are the same as those of `acmotion export tables` on one machine: each capture is a
partition of its own, which is moved to its place when it is complete. Captures that are there already are skipped, so that the
job can be repeated. The arguments after `--` are passed on to the command.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Iterable, Iterator

from pyspark.sql import SparkSession

#: The ends of the names of captures, as the command knows them.
CAPTURE_ENDS = (".pcap", ".pcapng", ".cap", ".jsonl")
PACKED_ENDS = (".gz", ".zst", ".zstd")


def is_capture(path: Path) -> bool:
    """Tells whether a file of a folder is a capture or an archive of captures, by its name."""
    name = path.name.lower()
    for end in PACKED_ENDS:
        name = name.removesuffix(end)
    return path.is_file() and (name.endswith(CAPTURE_ENDS) or path.name.lower().endswith(".zip"))


def find_captures(paths: Iterable[str]) -> list[str]:
    """Returns the captures in files and folders, the largest first, so that no long one is left for the end."""
    found = []
    for path in map(Path, paths):
        found += [file for file in path.rglob("*") if is_capture(file)] if path.is_dir() else [path]
    return [str(path.resolve()) for path in sorted(found, key=lambda path: (-path.stat().st_size, path))]


def export(captures: Iterator[str], command: str, out: str, options: list[str]) -> Iterator[str]:
    """Exports captures on an executor. Yields what the command says about each, one JSON object a line."""
    for capture in captures:
        line = [command, "export", "tables", capture, "--out", out, "--jobs", "1", "--json", *options]
        done = subprocess.run(line, capture_output=True, text=True)
        # A damaged capture is exported as far as it can be read, and is described. Anything else is an error.
        if not done.stdout:
            raise RuntimeError(f"{capture}: {done.stderr.strip() or f'exit code {done.returncode}'}")
        yield from done.stdout.splitlines()


def run(spark: SparkSession, captures: list[str], command: str, out: str, options: list[str]) -> list[dict[str, Any]]:
    """Exports captures on all executors and returns what became of each."""
    # One capture at a time for each core: Spark hands out the next when one is done.
    shares = spark.sparkContext.parallelize(captures, max(1, len(captures)))
    lines = shares.mapPartitions(lambda share: export(share, command, out, options)).collect()
    return [json.loads(line) for line in lines]


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
    for outcome in outcomes:
        if outcome["first_error"]:
            print(f"{outcome['file']}: {outcome['first_error']}", file=sys.stderr)
    counts = Counter(outcome["status"] for outcome in outcomes)
    print(", ".join(f"{count} {status}" for status, count in sorted(counts.items())) or "no captures")
    return int(any(outcome["first_error"] for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
