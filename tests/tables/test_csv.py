"""CSV files are read with their names and types, also where a capture has no rows of a table."""

from __future__ import annotations

import re

import duckdb
import pytest

from conftest import ROOT, TABLES

PAGE = (ROOT / "docs" / "tables.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def csv(run, captures, tmp_path_factory):
    """The captures as CSV, and one of which nothing can be read."""
    folder = tmp_path_factory.mktemp("csv")
    (folder / "nothing.pcap").write_bytes(b"")
    run("export", "tables", captures, folder / "nothing.pcap", "--out", folder / "tables", "--csv", code=1)
    return folder / "tables"


@pytest.mark.parametrize("table", TABLES)
def test_csv_has_the_rows_of_parquet(dataset, csv, table):
    count = lambda path: duckdb.sql(f"SELECT count(*) FROM '{path}'").fetchall()[0][0]
    extra = 1 if table == "captures" else 0
    assert count(f"{csv}/{table}/*/*.csv") == count(f"{dataset}/{table}/*/*.parquet") + extra > 0


def test_numbers_are_numbers(csv):
    kinds = {name: kind for name, kind, *_ in duckdb.sql(f"DESCRIBE SELECT * FROM '{csv}/messages/*/*.csv'").fetchall()}
    assert [kinds[name] for name in ("t", "guid", "x", "is_movement", "name", "capture")] == [
        "DOUBLE", "BIGINT", "DOUBLE", "BOOLEAN", "VARCHAR", "VARCHAR"
    ]
    assert kinds["time"].startswith("TIMESTAMP")


def test_the_query_of_the_page(dataset, csv):
    [query] = re.findall(r'duckdb -c "(SELECT [^"]*csv\'[^"]*)"', PAGE)
    parquet = query.replace("'tables-csv/", f"'{dataset}/").replace(".csv'", ".parquet'")
    answer = duckdb.sql(query.replace("'tables-csv/", f"'{csv}/")).fetchall()
    assert answer == duckdb.sql(parquet).fetchall()
    assert answer[0][0] == "UpdateMotion" or answer[0][0] == "UpdatePosition"
