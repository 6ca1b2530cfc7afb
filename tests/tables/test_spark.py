"""Spark reads the tables, and examples/spark writes the same ones on two executors."""

from __future__ import annotations

import gzip
import json
import os
import sys
import zipfile
from pathlib import Path

import pytest

from conftest import TABLES, need, need_java

need("pyspark")
need("pyarrow")
need_java()

import export_captures
from made_captures import crowd, lines
from test_engines import duckdb_rows, rows

JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    """A cluster of two executors with one core each, in processes of their own."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    work = tmp_path_factory.mktemp("spark")
    builder = export_captures.SparkSession.builder.master("local-cluster[2,1,768]").appName("tests")
    settings = {
        "spark.executor.memory": "768m", "spark.driver.memory": "1g", "spark.ui.enabled": "false",
        "spark.sql.session.timeZone": "UTC", "spark.sql.shuffle.partitions": "2", "spark.local.dir": str(work),
        "spark.sql.warehouse.dir": str(work / "warehouse"), "spark.driver.host": "localhost",
        "spark.driver.bindAddress": "127.0.0.1",
        # Most of the time of so little work would go into compiling it.
        "spark.driver.extraJavaOptions": JAVA, "spark.executor.extraJavaOptions": JAVA,
        "spark.sql.codegen.wholeStage": "false", "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    }
    for key, value in settings.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    # `spark-submit` sends its script to the executors itself.
    session.sparkContext.addPyFile(export_captures.__file__)
    yield session
    session.stop()


def test_captures_are_known_by_their_names(tmp_path):
    """The names of the test of the same name in crates/acmotion-cli/src/captures.rs, and some with several ends."""
    captures = ["a.pcap", "A.PCAPNG", "a.b.cap", "x.jsonl", "x.jsonl.gz", "x.pcap.ZST", "b.zip"]
    others = ["README.md", "a.parquet", "x.gz", "pcap", ".pcap", ".pcap.gz", "x.pcap.bz2", "é.gz", "x.pcap.gz.gz", ".zip"]
    for name in captures + others:
        (tmp_path / name).write_bytes(b"")
    found = {Path(path).name for path in export_captures.find_captures([str(tmp_path)])}
    assert found == set(captures)


def test_two_executors_write_what_one_machine_writes(spark, command, captures, dataset, tmp_path):
    out = tmp_path / "tables"
    found = export_captures.find_captures([str(captures)])
    assert sorted(Path(path).name for path in found) == ["archive.zip", "cut.zip", "damaged.jsonl", "packed.jsonl.gz", "plain.jsonl"]
    outcomes = export_captures.run(spark, found, command, str(out), [])
    assert sorted(outcome["status"] for outcome in outcomes) == ["exported"] * 5 + ["unreadable"]
    assert [Path(outcome["file"]).name for outcome in outcomes if outcome["first_error"]] == ["cut.zip", "damaged.jsonl"]
    for table in TABLES:
        assert duckdb_rows(out, table) == duckdb_rows(dataset, table), table
    again = export_captures.run(spark, found, command, str(out), [])
    assert {Path(outcome["file"]).name: outcome["status"] for outcome in again if outcome["status"] != "present"} == {
        "cut.zip": "unreadable"
    }


def test_of_captures_with_the_same_contents_the_first_is_named(spark, run, command, tmp_path):
    """The largest file is done first, and the first one is the smallest."""
    folder, out, expected = (tmp_path / name for name in ("captures", "tables", "expected"))
    folder.mkdir()
    contents = lines(crowd(2, 40))
    (folder / "a.jsonl.gz").write_bytes(gzip.compress(contents))
    (folder / "b.jsonl").write_bytes(contents)
    (folder / "c.jsonl").write_bytes(lines(crowd(1, 4)))
    with zipfile.ZipFile(folder / "d.zip", "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("again.jsonl", contents)
        archive.writestr("own.jsonl", lines(crowd(3, 3)))
    # Two archives of the same bytes that cannot be read.
    for name in ("e.zip", "f.zip"):
        (folder / name).write_bytes((folder / "d.zip").read_bytes()[:-30])
    done = run("export", "tables", folder, "--out", expected, "--json", code=1)
    on_one_machine = [json.loads(line) for line in done.stdout.splitlines()]
    statuses = ["exported", "duplicate", "exported", "duplicate", "exported", "unreadable", "unreadable"]
    assert [outcome["status"] for outcome in on_one_machine] == statuses
    found = export_captures.find_captures([str(folder)])
    assert export_captures.run(spark, found, command, str(out), []) == on_one_machine
    for table in TABLES:
        assert duckdb_rows(out, table) == duckdb_rows(expected, table), table
    again = export_captures.run(spark, found, command, str(out), [])
    assert [outcome["status"] for outcome in again] == ["present"] * 5 + ["unreadable"] * 2
    assert duckdb_rows(out, "captures") == duckdb_rows(expected, "captures")


def test_spark_reads_what_duckdb_reads(spark, dataset):
    for table in TABLES:
        assert rows(spark.read.parquet(f"{dataset}/{table}").toArrow()) == duckdb_rows(dataset, table), table
