"""``wlkg report``: saved results on one page, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import wlkg
from tests.cli.running import Run, RunJson, assert_refused
from tests.places import EXAMPLE_GRAPHS

FAMILY = EXAMPLE_GRAPHS / "family.ttl"


@pytest.fixture
def saved(tmp_path: Path, run_json: RunJson) -> Path:
    """The result of refining a copy of a graph, which may be changed."""
    graph = tmp_path / "graph.ttl"
    graph.write_bytes(FAMILY.read_bytes())
    path = tmp_path / "refine.json"
    path.write_text(json.dumps(run_json("refine", graph)))
    return path


def write(path: Path, content: Any) -> Path:
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


@pytest.mark.parametrize("suffix", [".html", ".md", ".tex"])
def test_results_are_put_together(
    suffix: str, tmp_path: Path, saved: Path, run: Run, run_json: RunJson
) -> None:
    other = write(tmp_path / "compare.json", run_json("compare", "example:c6", "example:c6"))
    page = tmp_path / f"page{suffix}"
    result = run("report", saved, other, "-o", page, "--title", "Both <results>")
    assert result.exit_code == 0, result.output
    assert result.stderr == f"note: wrote {page}\n"
    text = page.read_text()
    assert "1-rwl is stable at round 2 with 18 classes of vertices." in text
    assert "No test separates the graphs" in text
    assert "Both <results>" not in text
    assert "graph is not shown" not in text


def test_a_report_of_one_result_is_the_page_of_its_command(
    tmp_path: Path, run: Run, run_json: RunJson
) -> None:
    direct, later = tmp_path / "direct.md", tmp_path / "later.md"
    assert run("refine", FAMILY, "--markdown", direct).exit_code == 0
    saved = write(tmp_path / "refine.json", run_json("refine", FAMILY))
    assert run("report", saved, "-o", later).exit_code == 0
    assert direct.read_text() == later.read_text()


def test_a_graph_that_has_changed_is_not_shown(tmp_path: Path, saved: Path, run: Run) -> None:
    graph = tmp_path / "graph.ttl"
    graph.write_text(graph.read_text() + "\n<urn:new> <urn:is> <urn:here> .\n")
    page = tmp_path / "page.html"
    assert run("report", saved, "-o", page).exit_code == 0
    text = page.read_text()
    assert "the graph has changed since the result was computed" in text
    assert "1-rwl is stable at round 2" in text


def test_a_graph_that_is_gone_is_not_shown(tmp_path: Path, saved: Path, run: Run) -> None:
    (tmp_path / "graph.ttl").unlink()
    page = tmp_path / "page.md"
    assert run("report", saved, "-o", page).exit_code == 0
    assert "**Note:** The graph is not shown." in page.read_text()
    assert "the file is not there any more" in page.read_text()


def test_graphs_are_found_beside_the_result(
    tmp_path: Path, saved: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = json.loads(saved.read_text())
    content["inputs"][0]["path"] = "graph.ttl"
    write(saved, content)
    monkeypatch.chdir(tmp_path.parent)
    page = tmp_path / "page.md"
    assert run("report", saved, "-o", page).exit_code == 0
    assert "graph is not shown" not in page.read_text()


def test_labels_and_directions_are_read_again(tmp_path: Path, run: Run, run_json: RunJson) -> None:
    options = ("--labels", "kind", "--direction", "out", "--literals", "drop", "--max-input", "4M")
    saved = write(tmp_path / "refine.json", run_json("refine", FAMILY, *options))
    page = tmp_path / "page.md"
    assert run("report", saved, "-o", page).exit_code == 0
    assert "graph is not shown" not in page.read_text()


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ({"path": "example:nowhere"}, "unknown example"),
        ({"path": "/dev/zero"}, "not there any more"),
        ({"path": "a\0b"}, "not there any more"),
        ({"options": {"evil": "x"}}, "an option that is not known here"),
        ({"options": {"max_input": "much"}}, "The graph is not shown."),
        ({"options": {"literals": "perhaps"}}, "The graph is not shown."),
        ({"sha256": "0"}, "has changed"),
    ],
)
def test_inputs_that_cannot_be_read_again_are_named(
    entry: dict[str, Any], reason: str, tmp_path: Path, run: Run, run_json: RunJson
) -> None:
    content = run_json("refine", "example:c6")
    content["inputs"][0] |= entry
    saved, page = write(tmp_path / "refine.json", content), tmp_path / "page.md"
    result = run("report", saved, "-o", page)
    assert result.exit_code == 0, result.output
    assert reason in page.read_text().replace("\\", "")


def test_graphs_of_a_lift_are_not_shown(tmp_path: Path, run: Run, run_json: RunJson) -> None:
    content = run_json("counterexample", "lift", "--of", FAMILY)
    page = tmp_path / "page.md"
    assert run("report", write(tmp_path / "lift.json", content), "-o", page).exit_code == 0
    assert "The graphs of a lift are not files" in page.read_text()


def test_graphs_of_families_are_read_again(tmp_path: Path, run: Run, run_json: RunJson) -> None:
    content = run_json("counterexample", "cfi", "-k", "2")
    assert [entry["path"] for entry in content["inputs"]] == [
        "example:cfi-g,k=2,r=1",
        "example:cfi-h,k=2,r=1",
    ]
    page = tmp_path / "page.html"
    assert run("report", write(tmp_path / "cfi.json", content), "-o", page).exit_code == 0
    assert "graph is not shown" not in page.read_text()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "saved.json: the file is empty"),
        ("{", "saved.json, line 1, column 2: not JSON"),
        ("\udcff", "saved.json: not JSON"),
        ("[1]", "not a result of wlkg: expected an object, found a list"),
        ('{"a": 1}', 'not a result of wlkg: it has no "schema"'),
        ('{"schema": 1}', 'not a result of wlkg: it has no "schema"'),
        ('{"schema": "wlkg/refine/1/x"}', 'not a result of wlkg: it has no "schema"'),
        ('{"schema": "wlkg/refine/2", "version": "9"}', "version 2 of the format, by wlkg 9"),
        ('{"schema": "wlkg/verify/1"}', "a result of wlkg verify has no report"),
        ('{"schema": "wlkg/refine/1"}', "saved.json: the key 'test' is missing"),
        ('{"schema": "wlkg/refine/1", "inputs": 5}', "inputs: expected a list, found 5"),
        ('{"schema": "wlkg/refine/1", "inputs": [{}]}', "'path' is missing in inputs[0]"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a": ' + "9" * 5_000 + "}", "saved.json: not JSON"),
    ],
)
def test_what_is_no_result_is_refused(content: str, message: str, tmp_path: Path, run: Run) -> None:
    saved, page = tmp_path / "saved.json", tmp_path / "page.html"
    saved.write_bytes(content.encode("utf-8", "surrogateescape"))
    assert_refused(run("report", saved, "-o", page), message)
    assert not page.exists()


def test_missing_files_are_refused(tmp_path: Path, run: Run) -> None:
    missing = tmp_path / "none.json"
    assert_refused(run("report", missing, "-o", tmp_path / "page.html"), "no such file")


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("page.pdf", "the suffix sets the format; use one of .html, .htm, .md, .tex"),
        ("nowhere/page.html", "does not exist; create it first"),
        ("folder.html", "is a folder"),
    ],
)
def test_targets_that_cannot_be_written_are_refused_at_once(
    target: str, message: str, tmp_path: Path, saved: Path, run: Run
) -> None:
    (tmp_path / "folder.html").mkdir()
    assert_refused(run("report", saved, "-o", tmp_path / target), message)


def test_a_full_disk_leaves_no_page(saved: Path, run: Run) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    link = saved.parent / "page.html"
    link.symlink_to("/dev/full")
    assert_refused(run("report", saved, "-o", link), "cannot be written", status=74)


def test_large_files_are_refused(saved: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wlkg.reports.saved.LARGEST", 100)
    page = saved.parent / "page.html"
    assert_refused(run("report", saved, "-o", page), "too large for a report", status=3)


def test_reports_from_python(tmp_path: Path, saved: Path) -> None:
    graph = wlkg.read(FAMILY)
    document = json.loads(saved.read_text())
    page = tmp_path / "page.md"
    wlkg.report([saved, document, wlkg.refine(graph)], page, title="Three")
    assert page.read_text().startswith("# Three\n")
    assert page.read_text().count("1-rwl is stable at round 2 with 18 classes") == 3
    wlkg.report(wlkg.compare(graph, graph), page)
    assert "No test separates the graphs" in page.read_text()
    with pytest.raises(wlkg.WlkgError, match="at least one result"):
        wlkg.report([], page)
