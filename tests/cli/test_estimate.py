"""``wlkg estimate``: the size of a graph from a sample, and what engines would need."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.cli.running import Run, RunJson
from wlkg.engines import ENGINES
from wlkg.readers import lines
from wlkg.refinement.engines import estimate


def test_a_small_graph_is_counted_exactly(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    path = tmp_path / "graph.tsv"
    path.write_text("a\tr\tb\nb\tr\tc\n")
    document = run_json("estimate", path)
    assert document["exact"]
    assert (document["vertices"], document["triples"], document["arcs"]) == (3, 2, 4)
    assert document["rounds"] == {"at_most": 2, "assumed": 12}
    assert [row["engine"] for row in document["engines"]] == list(ENGINES)
    assert all(row["bytes"] > 0 and row["seconds"] > 0 for row in document["engines"])
    result = run("estimate", path, "--direction", "out", "--markdown", tmp_path / "page.md")
    assert "2 triples, 3 vertices and 2 arcs" in result.stdout
    assert "What engines need" in (tmp_path / "page.md").read_text()


def test_other_formats_are_read_as_a_whole(run_json: RunJson) -> None:
    document = run_json("estimate", "example:c6")
    assert (document["vertices"], document["arcs"]) == (6, 12)


@pytest.mark.parametrize("suffix", [".tsv", ".parquet"])
def test_a_large_file_is_sampled(
    run_json: RunJson, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    monkeypatch.setattr(estimate, "_SAMPLE", 20_000)
    monkeypatch.setattr(lines, "BLOCK_BYTES", 1 << 20)
    draw = np.random.default_rng(0)
    n, m = 100_000, 600_000
    columns = [draw.integers(0, n, m), draw.integers(0, 9, m), draw.integers(0, n, m)]
    path = tmp_path / f"graph{suffix}"
    if suffix == ".tsv":
        np.savetxt(path, np.stack(columns, 1), fmt="%d", delimiter="\t")
    else:
        pq.write_table(pa.table(columns, ["head", "relation", "tail"]), path)
    document = run_json("estimate", path)
    assert not document["exact"]
    assert 0.8 * m < document["triples"] < 1.25 * m
    assert 0.3 * n < document["vertices"] < 8 * n


def test_mistakes_in_the_file_are_said(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "graph.tsv"
    path.write_text("a\tr\n")
    result = run("estimate", path)
    assert result.exit_code == 2
    assert "line 1: expected 3 tab-separated fields, found 2" in result.stderr
