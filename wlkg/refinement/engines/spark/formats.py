"""What Spark reads from its place, without a graph in memory; known without loading PySpark."""

from __future__ import annotations

from pathlib import Path

from wlkg.readers.source import Source

SUFFIXES = (".parquet", ".pq", ".tsv", ".tab", ".txt", ".csv", ".nt", ".ntriples")
#: What Spark decompresses itself.
COMPRESSIONS = ("", ".gz")


def is_elsewhere(path: str) -> bool:
    """Whether it is an address such as hdfs://host/folder, which only Spark can look at."""
    return "://" in path


def is_parquet_folder(path: str) -> bool:
    """Whether it is a folder of Parquet files."""
    return not is_elsewhere(path) and any(Path(path).glob("*.parquet"))


def reads_in_place(path: str) -> bool:
    """Whether Spark reads the graph at ``path`` itself."""
    if is_elsewhere(path) or is_parquet_folder(path):
        return True
    suffix, compression = Source(path).suffixes
    return suffix in SUFFIXES and compression in COMPRESSIONS
