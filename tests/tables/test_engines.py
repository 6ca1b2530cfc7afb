"""DuckDB, Polars and pyarrow, with which pandas reads, read the same rows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from conftest import TABLES, need

polars = need("polars")
dataset_of = need("pyarrow.dataset").dataset


def rows(table: Any) -> list[tuple]:
    """The rows of an Arrow table, in an order that does not depend on the reader."""
    names = sorted(table.column_names)
    columns = [table.column(name).to_pylist() for name in names]
    return sorted(zip(*columns), key=repr)


def duckdb_rows(dataset: Path, table: str) -> list[tuple]:
    connection = duckdb.connect()
    connection.sql("SET TimeZone = 'UTC'")
    return rows(connection.sql(f"SELECT * FROM read_parquet('{dataset}/{table}/*/*.parquet')").to_arrow_table())


@pytest.mark.parametrize("table", TABLES)
def test_polars_and_pyarrow_read_what_duckdb_reads(dataset, table):
    expected = duckdb_rows(dataset, table)
    assert len(expected) >= 5
    scanned = polars.scan_parquet(f"{dataset}/{table}/", hive_partitioning=True).collect()
    assert rows(scanned.to_arrow()) == expected
    partitioned = dataset_of(f"{dataset}/{table}", partitioning="hive")
    assert rows(partitioned.to_table()) == expected


def test_columns_have_their_types(dataset):
    types = dict(duckdb.sql(f"SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM '{dataset}/messages/*/*.parquet')").fetchall())
    expected = {
        "capture": "VARCHAR", "message": "BIGINT", "t": "DOUBLE", "time": "TIMESTAMP WITH TIME ZONE", "guid": "UINTEGER",
        "position_seq": "USMALLINT", "movement_type": "UTINYINT", "x": "FLOAT", "grounded": "BOOLEAN", "value": "INTEGER",
        "name": "VARCHAR", "raw": "BLOB",
    }
    assert {name: types[name] for name in expected} == expected
