"""``wlkg ceiling --links``: what it prints, which folders it understands, and how it ends."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.cli.running import Run, RunJson
from wlkg.analysis.links.ceiling import link_ceiling
from wlkg.analysis.links.orbits import UNPROVEN_ORBITS
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.refinement.proof import UNCHECKED_VERTICES
from wlkg.reports.links import exactness

SCORES = {"mrr", "hits_at_1", "hits_at_3", "hits_at_10", "mean_rank"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A hub with three leaves; one leaf likes another, and a valid triple is known."""
    place = tmp_path / "star"
    place.mkdir()
    (place / "train.txt").write_text("hub\tto\ta\nhub\tto\tb\nhub\tto\tc\n")
    (place / "valid.txt").write_text("a\tlikes\tc\n")
    (place / "test.txt").write_text("a\tlikes\tb\n")
    return place


def test_json_has_the_keys_that_scripts_rely_on(run_json: RunJson, folder: Path) -> None:
    document = run_json("ceiling", folder, "--links", "--rounds", 2)
    assert document["schema"] == "wlkg/ceiling/1"
    assert document["of"] == "links"
    assert (document["split"], document["answers"], document["vertices"]) == ("test", 2, 4)
    assert [each["test"] for each in document["tests"]] == ["1-rwl", "rawl2"]
    for test in document["tests"]:
        assert [each["round"] for each in test["rounds"]] == [1, 2, None]
        assert test["proof"] == "every round was checked without hashing"
        for each in test["rounds"]:
            assert each["exact"] is True
            assert set(each["ties"]) == {"random", "pessimistic", "optimistic"}
            assert all(set(scores) == SCORES for scores in each["ties"].values())
    # (a, likes, ?): c is known, so the encoder's answer b ties with a, and rawl2's with nothing.
    last = [test["rounds"][-1]["ties"]["pessimistic"]["mrr"] for test in document["tests"]]
    assert last == [pytest.approx((1 / 2 + 1 / 3) / 2), pytest.approx((1 + 1 / 2) / 2)]


def test_text_shows_the_limits_and_what_ties(run: Run, folder: Path) -> None:
    result = run("ceiling", folder, "--links", "--rounds", 1)
    assert result.exit_code == 0, result.output
    text = result.stdout
    first = "no R-GCN or CompGCN with any decoder gets an MRR above"
    assert first in " ".join(text.split())
    assert "rawl2 bounds conditional message passing" in text
    assert "2 of 2 answers tie when stable" in text
    assert "2 answers to 2 queries, 4 candidates; exact" in " ".join(text.split())
    assert "1 relation of test not in the graph" in result.stderr
    assert "likes" in result.stderr


def test_what_a_model_may_gain_that_lets_classes_tie_is_said(
    run: Run, run_json: RunJson, tmp_path: Path
) -> None:
    # Two classes with answers, one rival in each: ranks 1 to 4 at random beat 1 or 2, and 2 or 3.
    (tmp_path / "train.txt").write_text("h\tr\ta\nh\tr\tb\nh\ts\tc\nh\ts\td\n")
    (tmp_path / "test.txt").write_text("x\tq\ta\nx\tq\tc\n")
    rounds = run_json("ceiling", tmp_path, "--links", "--test", "1-rwl")["tests"][0]["rounds"]
    gain = max(each["bound"]["mrr"] - each["ties"]["random"]["mrr"] for each in rounds)
    text = " ".join(run("ceiling", tmp_path, "--links", "--test", "1-rwl").stdout.split())
    assert gain > 0
    assert f"at random, at most {gain:.4f} in MRR" in text


def test_a_test_that_separates_all_sets_no_limit(run: Run, folder: Path) -> None:
    (folder / "test.txt").write_text("a\tto\thub\n")
    (folder / "train.txt").write_text("hub\tto\ta\nhub\tto\tb\nb\tto\tc\n")
    text = run("ceiling", folder, "--links").stdout
    assert "1-rwl sets no limit" in text
    assert "tie when stable" not in text


def test_new_entities_are_candidates_and_counted(run: Run, run_json: RunJson, folder: Path) -> None:
    (folder / "test.txt").write_text("a\tto\tstranger\n")
    document = run_json("ceiling", folder, "--links")
    assert document["new_vertices"] == ["stranger"]
    assert document["vertices"] == 5
    notes = run("ceiling", folder, "--links").stderr
    assert "1 entity of test not in the graph, a candidate like any other" in notes


def test_other_splits_and_tests_can_be_chosen(run_json: RunJson, folder: Path) -> None:
    arguments = ("ceiling", folder, "--links", "--split", "valid", "--test", "2-RLWL", "--limit", 0)
    document = run_json(*arguments)
    assert document["split"] == "valid"
    assert [each["test"] for each in document["tests"]] == ["2-rlwl"]
    assert document["tests"][0]["worst"] == []
    grown = run_json("ceiling", folder, "--links", "--splits", "train,valid")
    assert grown["new_relations"] == []


def test_symmetries_are_the_limit_of_every_model(run: Run, run_json: RunJson, folder: Path) -> None:
    document = run_json("ceiling", folder, "--links", "--orbits", "--test", "rawl2")
    conditional, absolute = document["tests"]
    assert absolute["test"] == "orbits"
    assert [each["round"] for each in absolute["rounds"]] == [None]
    assert absolute["rounds"][-1]["ties"] == conditional["rounds"][-1]["ties"]
    text = run("ceiling", folder, "--links", "--orbits").stdout
    assert "no model that sees the graph alone gets an MRR above 0.8750" in text


def test_an_inductive_set_is_fitted_on_another_folder(
    run_json: RunJson, folder: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "train.txt").write_text("x\tlikes\ty\n")
    document = run_json("ceiling", folder, "--links", "--train", other, "--test", "1-rwl")
    assert document["tests"][0]["fitted"][0]["seen"] == 0
    pairs = run_json("ceiling", folder, "--links")["tests"][1]
    assert [each["round"] for each in pairs["fitted"]] == [1, 2, 3, 4, 5, 6]
    assert pairs["fitted_on"] == [3, 3]
    assert pairs["fitted_ranked"] == [2, 2]
    others = run_json("ceiling", folder, "--links", "--test", "rwl2")["tests"][0]
    assert (others["fitted"], others["fitted_on"]) == (None, None)


def test_fitted_scores_from_samples_say_so(
    run: Run, run_json: RunJson, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("wlkg.analysis.links.fitted_budget.MOST_STEPS", 1)
    pairs = run_json("ceiling", folder, "--links")["tests"][1]
    assert (pairs["fitted_on"], pairs["fitted_ranked"]) == ([1, 3], [1, 2])
    assert [each["round"] for each in pairs["fitted"]] == [1]
    page = tmp_path / "page.html"
    text = " ".join(run("ceiling", folder, "--links", "--html", page).stdout.split())
    assert "rawl2 is fitted on 1 of 3 training triples, drawn at random, taken out" in text
    assert "estimates from 1 of 2 answers, drawn at random, for 1 round only" in text
    assert "Estimated from 1 of 3 training triples" in page.read_text()


def test_a_folder_without_valid_has_a_note(run: Run, folder: Path) -> None:
    (folder / "valid.txt").unlink()
    result = run("ceiling", folder, "--links")
    assert result.exit_code == 0
    assert "there is no valid split" in result.stderr


def test_openke_folders_are_read(run_json: RunJson, tmp_path: Path) -> None:
    for name, lines in {
        "entity2id": ["hub\t0", "a\t1", "b\t2", "alone\t3"],
        "relation2id": ["to\t0"],
        "train2id": ["0 1 0"],
        "test2id": ["0 2 0"],
    }.items():
        (tmp_path / f"{name}.txt").write_text("\n".join([str(len(lines)), *lines, ""]))
    document = run_json("ceiling", tmp_path, "--links")
    assert (document["vertices"], document["answers"]) == (4, 2)


def test_reports_are_written(run: Run, folder: Path, tmp_path: Path) -> None:
    page, tables = tmp_path / "page.html", tmp_path / "tables.md"
    result = run("ceiling", folder, "--links", "--html", page, "--markdown", tables)
    assert result.exit_code == 0, result.output
    assert "ties broken at random" in page.read_text()
    assert "| stable |" in tables.read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--links", "--targets", "t.tsv"], "--targets has no effect"),
        (["--links", "--graphs"], "--graphs has no effect"),
        (["--links", "--trained", "run.json"], "--trained has no effect"),
        (["--links", "--train", ".", "--test", "ultra", "--test", "rwl2"], "--train has no effect"),
        (["--links", "--split", "train"], "unknown split 'train'"),
        (["--links", "--splits", "train,test"], "test cannot be ranked"),
        (["--links", "--test", "3-rlwl"], "3-rlwl colours 3-tuples"),
        (["--links", "--rounds", "0"], "at least 1"),
        (["--split", "test", "--targets", "t.tsv"], "--split has no effect"),
        ([], "missing option '--targets'"),
    ],
)
def test_options_that_do_not_fit_are_refused(
    run: Run, folder: Path, arguments: list[str], words: str
) -> None:
    result = run("ceiling", folder, *arguments)
    assert result.exit_code == 2
    assert words in result.stderr


def test_folders_that_do_not_fit_are_refused(run: Run, folder: Path) -> None:
    def complaint(place: Path) -> str:
        result = run("ceiling", place, "--links")
        assert result.exit_code == 2
        return result.stderr

    assert "expected a folder" in complaint(folder / "train.txt")
    (folder / "test.txt").write_text("")
    assert "test.txt: the file is empty" in complaint(folder)
    (folder / "test.txt").write_text("# nothing\n")
    assert "no triple in test" in complaint(folder)
    (folder / "test.txt").unlink()
    assert "there is no test split" in complaint(folder)
    (folder / "train.txt").unlink()
    (folder / "test.txt").write_text("a\tto\tb\n")
    assert "there is no train.txt" in complaint(folder)


def test_rounds_that_do_not_fit_into_memory_are_refused(run: Run, folder: Path) -> None:
    result = run("ceiling", folder, "--links", "--rounds", 10**15)
    assert result.exit_code == 3
    assert run("ceiling", folder, "--links", "--rounds", 10**15, "--test", "rwl2").exit_code == 3
    assert "ask for fewer rounds" in result.stderr


def test_pairs_that_do_not_fit_into_memory_are_refused(run: Run, folder: Path) -> None:
    result = run("ceiling", folder, "--links", "--test", "rwl2", "--max-memory", "100")
    assert result.exit_code == 3
    assert "rwl2" in result.stderr


def test_the_first_sentences_name_models_and_their_limits(run: Run, data_dir: Path) -> None:
    """Limits with 3 layers, with 6, and with any number, as checked elsewhere."""
    text = run("ceiling", data_dir / "kg" / "grail" / "WN18RR_v3_ind", "--links").stdout
    assert " ".join(text.split()).split("1-rwl bounds")[0].split("both ")[1] == (
        "no R-GCN or CompGCN with any decoder gets an MRR above 0.8764 with 3 layers, 0.8934 with 6"
        " layers, 0.8934 with any number"
        " no NBFNet, A*Net or other C-MPNN gets an MRR above 0.8906 with 3 layers, 0.8993 with 6"
        " layers, 0.8993 with any number "
    )


def test_what_is_not_exact_is_given_its_own_reason() -> None:
    graph = RelationalGraph.from_triples([("hub", "to", "a"), ("hub", "to", "b")])
    result = link_ceiling(graph, [("a", "likes", "b")], tests=["1-rwl"], rounds=1)
    (test,) = result.tests
    assert exactness(result) == "exact"
    for proof, words in (
        (test.proof, "upper bounds: some queries have too many orders to try"),
        (UNPROVEN_ORBITS, "upper bounds: some symmetries may be missing"),
        (UNCHECKED_VERTICES, "not proved: colours rest on two 64-bit sums"),
    ):
        rounds = tuple(replace(each, exact=False) for each in test.rounds)
        other = replace(test, rounds=rounds, proof=proof)
        assert exactness(replace(result, tests=(other,))) == words
