"""``wlkg ceiling``: what it prints, which targets it understands, and how it ends."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import Run, RunJson
from tests.cli.screen import as_terminal
from tests.needs_torch import needs_torch

Arguments = list[str | Path]
ROUND = {
    "round",
    "correct",
    "total",
    "accuracy",
    "classes",
    "balanced_accuracy",
    "macro_f1",
    "macro_f1_bound",
}


@pytest.fixture
def twins(tmp_path: Path) -> Arguments:
    """Arguments: a graph in which the twins ann and ben have different labels, and its targets."""
    graph, train, test = (tmp_path / name for name in ("kg.ttl", "train.tsv", "test.tsv"))
    graph.write_text(
        "@prefix : <a:> .\n"
        ':ann :knows :cat . :ben :knows :cat . :cat :name "Cat" . :dan :name "Dan", "D." .\n'
    )
    train.write_text("person\tlabel\na:ann\tx\na:ben\ty\na:cat\ty\n")
    test.write_text("person\tlabel\na:dan\ty\n")
    return [graph, "--targets", train, "--holdout", test]


def test_json_has_the_keys_that_scripts_rely_on(run_json: RunJson, twins: Arguments) -> None:
    document = run_json("ceiling", *twins)
    assert document["schema"] == "wlkg/ceiling/1"
    variant = [document[key] for key in ("test", "direction", "literals")]
    assert variant == ["1-rwl", "both", "shared"]
    assert document["stable"] is document["exact"] is True
    assert document["of"] == "vertices"
    assert document["labels"] == ["x", "y"]
    assert document["seconds"] >= 0
    train, test = document["splits"]["train"]["rounds"], document["splits"]["test"]["rounds"]
    assert [(score["correct"], score["total"]) for score in train][:2] == [(2, 3), (2, 3)]
    assert all(set(score) == ROUND for score in train + test)
    assert [score["round"] for score in train] == list(range(len(train)))
    assert len(train) == len(test) == len(document["fitted"])
    assert document["rounds"] == [
        {"split": split, **score}
        for split in ("train", "test")
        for score in document["splits"][split]["rounds"]
    ]
    assert document["fitted"][0] == {"round": 0, "correct": 1, "total": 1, "accuracy": 1.0}
    assert document["colliding_classes"] == 1
    assert document["colliding_targets"] == 2
    assert [group["targets"] for group in document["colliding"]] == [
        [
            {"name": "a:ann", "label": "x", "split": "train"},
            {"name": "a:ben", "label": "y", "split": "train"},
        ]
    ]
    (only,) = document["variants"]
    assert only.items() <= document.items()


def test_text_shows_the_limit_the_rounds_and_the_colliding_targets(
    run: Run, twins: Arguments
) -> None:
    result = run("ceiling", *twins)
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 80
    text = " ".join(result.stdout.split())
    assert "no model bounded by 1-rwl gets more than 2 of 3 (train) and 1 of 1 (test) right" in text
    for part in ("round", "balanced", "macro-F1", "fitted", ":ann", ":ben", "stable at round"):
        assert part in text
    assert "2 targets in 1 class of round" in text
    assert "note" not in result.stderr


def test_without_a_holdout_there_is_one_split_and_nothing_is_fitted(
    run: Run, run_json: RunJson, twins: Arguments
) -> None:
    document = run_json("ceiling", *twins[:3])
    assert set(document["splits"]) == {"train"}
    assert document["fitted"] is None
    assert document["holdout"] is None
    text = run("ceiling", *twins[:3]).stdout
    assert "test:" not in text
    assert "fitted" not in text


def test_a_test_that_does_not_limit_the_accuracy_sets_no_limit(run: Run, tmp_path: Path) -> None:
    targets = tmp_path / "t.tsv"
    targets.write_text("entity\tlabel\n0\tx\n1\tx\n")
    text = run("ceiling", "example:c6", "--targets", targets).stdout
    assert "1-rwl sets no limit" in text
    assert "targets of different labels are all told apart" in text


def test_stopping_early_bounds_models_of_fewer_layers(
    run: Run, run_json: RunJson, twins: Arguments
) -> None:
    text = " ".join(run("ceiling", *twins, "--rounds", 1).stdout.split())
    assert "no model of at most 1 layer bounded by 1-rwl" in text
    assert "stopped after round 1" in text
    assert len(run_json("ceiling", *twins, "--rounds", 0)["fitted"]) == 1


def test_variants_are_all_tests_directions_and_literals_the_chosen_first(
    run: Run, run_json: RunJson, twins: Arguments
) -> None:
    tests = ["--test", "1-wl", "--test", "2-rlwl", "--test", "1-wl"]
    every = ["--every-direction", "--every-literals"]
    document = run_json(
        "ceiling", *twins[:3], *tests, "--literals", "drop", "--direction", "out", *every
    )
    kinds = [(v["literals"], v["test"], v["direction"]) for v in document["variants"]]
    assert kinds == [
        (literals, test, direction)
        for literals in ("drop", "shared", "occurrence")
        for test in ("1-wl", "2-rlwl")
        for direction in ("out", "both", "undirected", "in")
    ]
    assert document["literals"] == "drop"
    text = run("ceiling", *twins[:3], "--test", "1-wl", *every)
    assert text.exit_code == 0
    rows = text.stdout.partition("highest accuracy")[2].splitlines()
    assert len(rows) == 2 + 12
    assert max(map(len, rows)) <= 80
    assert rows[2].split()[:3] == ["1-wl", "both", "shared"]


def test_targets_that_are_missing_or_in_both_tables_are_noted(
    run: Run, run_json: RunJson, twins: Arguments, tmp_path: Path
) -> None:
    more = tmp_path / "more.tsv"
    more.write_text("person\tlabel\na:ann\tx\na:zoe\ty\n")
    result = run("ceiling", *twins[:3], "--holdout", more)
    assert "note: test, literals shared: 1 target is not there: a:zoe" in result.stderr
    assert "note: 1 target is in both splits: fitted has seen their labels" in result.stderr
    document = run_json("ceiling", *twins[:3], "--holdout", more)
    assert document["splits"]["test"]["missing"] == ["a:zoe"]
    assert document["splits"]["test"]["targets"] == 1
    assert document["in_both"] == 1


def test_targets_that_a_literal_policy_drops_are_an_error(run: Run, twins: Arguments) -> None:
    result = run("ceiling", *twins, "--every-literals")
    assert result.exit_code == 2
    assert "test.tsv: none of the 1 entities is a vertex of the graph: a:dan" in result.stderr


def test_the_limit_shortens_the_list_but_not_the_counts(
    run: Run, run_json: RunJson, tmp_path: Path
) -> None:
    graph, targets = tmp_path / "g.tsv", tmp_path / "t.tsv"
    graph.write_text("".join(f"a{i}\tr{i % 3}\tb{i}\n" for i in range(6)))
    rows = [f"{side}{i}\tlabel{i}\n" for i in range(6) for side in "ab"]
    targets.write_text("entity\tlabel\n" + "".join(rows))
    arguments = ("ceiling", graph, "--targets", targets, "--limit", 2)
    document = run_json(*arguments)
    assert (document["colliding_classes"], document["colliding_targets"]) == (6, 12)
    assert len(document["colliding"]) == 2
    assert "4 more classes; --limit lists more" in run(*arguments).stdout


def test_many_rounds_and_many_targets_are_cut_short_in_text(run: Run, tmp_path: Path) -> None:
    graph, targets = tmp_path / "g.tsv", tmp_path / "t.tsv"
    graph.write_text("".join(f"{i}\tr\t{i + 1}\n" for i in range(40)))
    rows = [f"{i}\t{'even' if i % 2 == 0 else 'odd'}\n" for i in range(41)]
    targets.write_text("entity\tlabel\n" + "".join(rows))
    arguments = ("ceiling", graph, "--targets", targets, "--direction", "out")
    lines = run(*arguments).stdout.splitlines()
    table = [line.split()[0] for line in lines if line.split()[:1] and "%" in line]
    assert table == [*map(str, range(8)), "39", "40"]
    assert any(line.strip() == "..." for line in lines)
    early = run(*arguments, "--rounds", 0).stdout
    assert "and 19 more" in early
    assert "and 18 more" in early


# -- a trained model ------------------------------------------------------------------------------


def trained(path: Path, **changes: Any) -> Path:
    """Write what ``wlkg train --json`` prints, with some changes."""
    content: dict[str, Any] = {
        "schema": "wlkg/train/1",
        "config": {"model": "rgcn", "layers": 2, "norm": True},
        "train_accuracy": 2 / 3,
        "validation_accuracy": None,
        "test_accuracy": 0.5,
        "targets": [{"vertices": 3}, {"vertices": 1}],
    }
    path.write_text(json.dumps({**content, **changes}))
    return path


def test_a_trained_model_is_compared_with_the_ceiling_of_its_round(
    run: Run, run_json: RunJson, twins: Arguments, tmp_path: Path
) -> None:
    file = trained(tmp_path / "run.json")
    model = run_json("ceiling", *twins, "--trained", file)["trained"]
    assert (model["model"], model["layers"]) == ("rgcn", 2)
    assert model["splits"]["train"]["share"] == pytest.approx(1)
    assert model["splits"]["test"] == {
        "round": 2,
        "accuracy": 0.5,
        "ceiling": 1.0,
        "share": 0.5,
        "exceeds": False,
    }
    text = run("ceiling", *twins, "--trained", file).stdout
    assert "reaches 50.0 % of what is possible" in text
    lines = [line for line in text.splitlines() if str(tmp_path) not in line]
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"model": "rgcn", "layers": 1, "norm": True}, 1),
        ({"model": "compgcn", "layers": 1, "norm": False}, 1),
        ({"model": "compgcn", "layers": 1, "norm": True}, 2),
        ({"model": "rgcn", "layers": 50, "norm": True}, 2),
    ],
)
def test_a_model_that_divides_by_degrees_is_bounded_by_the_next_round(
    run_json: RunJson,
    config: dict[str, Any],
    expected: int,
    twins: Arguments,
    tmp_path: Path,
) -> None:
    file = trained(tmp_path / "run.json", config=config)
    model = run_json("ceiling", *twins, "--rounds", 2, "--trained", file)["trained"]
    assert model["splits"]["test"]["round"] == expected


def test_validation_targets_count_as_targets_of_training(run_json: RunJson, tmp_path: Path) -> None:
    targets = tmp_path / "t.tsv"
    targets.write_text("entity\tlabel\n" + "".join(f"{i}\tx\n" for i in range(20)))
    accuracies = {"train_accuracy": 1.0, "validation_accuracy": 0.0, "test_accuracy": None}
    file = trained(tmp_path / "run.json", targets=[{"vertices": 20}], **accuracies)
    arguments = ("ceiling", "example:dodecahedron", "--targets", targets, "--trained", file)
    splits = run_json(*arguments)["trained"]["splits"]
    # 3 of the 20 were held out.
    assert splits["train"]["accuracy"] == pytest.approx(17 / 20)
    assert "test" not in splits
    for share, expected in ((0.5, 0.5), (None, 1.0)):
        # Given in a file of their own, they are not among the targets of training.
        validation = {"vertices": 10, "share": share}
        trained(file, targets=[{"vertices": 20}], validation=validation, **accuracies)
        splits = run_json(*arguments)["trained"]["splits"]
        assert splits["train"]["accuracy"] == pytest.approx(expected)


def test_a_model_above_the_ceiling_is_not_bounded_by_the_test(
    run: Run, run_json: RunJson, twins: Arguments, tmp_path: Path
) -> None:
    file = trained(tmp_path / "run.json", train_accuracy=1.0)
    text = run("ceiling", *twins, "--trained", file).stdout
    assert "more than 1-rwl allows" in text
    assert "1-rwl does not bound this model, or it saw another graph or other targets" in text
    splits = run_json("ceiling", *twins, "--trained", file)["trained"]["splits"]
    assert splits["train"]["exceeds"] is True


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not what wlkg train --json prints"),
        ("[1]", "is not what wlkg train --json prints"),
        ('{"schema": "wlkg/info/1"}', "its schema is 'wlkg/info/1', not 'wlkg/train/1'"),
        ('{"schema": "wlkg/train/1"}', "it has no 'config'"),
        (
            json.dumps(
                {
                    "schema": "wlkg/train/1",
                    "config": {"model": "rgcn", "layers": -1},
                    "targets": [{"vertices": 3}],
                }
            ),
            "it has -1 layers",
        ),
        ("[" * 100_000, "is not what wlkg train --json prints"),
    ],
)
def test_a_file_that_train_did_not_print_is_refused(
    run: Run, text: str, message: str, twins: Arguments, tmp_path: Path
) -> None:
    (tmp_path / "run.json").write_text(text)
    result = run("ceiling", *twins, "--trained", tmp_path / "run.json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert "Write it with: wlkg train" in result.stderr


def test_a_model_with_other_targets_is_refused(run: Run, twins: Arguments, tmp_path: Path) -> None:
    file = trained(tmp_path / "run.json", targets=[{"vertices": 4}, {"vertices": 1}])
    result = run("ceiling", *twins, "--trained", file)
    assert result.exit_code == 2
    assert "the model has 4 train targets, there are 3 here" in result.stderr


@needs_torch
def test_what_train_prints_is_understood(
    run: Run, run_json: RunJson, twins: Arguments, tmp_path: Path
) -> None:
    printed = run("train", *twins, "--epochs", 2, "--json")
    assert printed.exit_code == 0, printed.output
    (tmp_path / "run.json").write_text(printed.stdout)
    model = run_json("ceiling", *twins, "--trained", tmp_path / "run.json")["trained"]
    assert set(model["splits"]) == {"train", "test"}
    assert not any(split["exceeds"] for split in model["splits"].values())


# -- graphs ---------------------------------------------------------------------------------------


@pytest.fixture
def molecules(tmp_path: Path) -> Path:
    """A six-cycle, two triangles, and a path of three vertices, in three ways."""
    folder = tmp_path / "molecules"
    folder.mkdir()
    (folder / "ring.tsv").write_text("".join(f"{i}\tr\t{(i + 1) % 6}\n" for i in range(6)))
    triangles = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]
    text = "".join(f"{h}\tr\t{t}\n" for h, t in triangles)
    (folder / "two.tsv.gz").write_bytes(gzip.compress(text.encode()))
    (folder / "path.nt").write_text("<a:a> <r:r> <a:b> .\n<a:b> <r:r> <a:c> .\n")
    (folder / "README.md").write_text("no graph\n")
    return folder


def test_graphs_of_a_folder_are_named_by_their_files(
    run: Run, run_json: RunJson, molecules: Path
) -> None:
    targets = molecules / "labels.tsv"
    targets.write_text("molecule\tlabel\nring\tx\ntwo.tsv\ty\npath.nt\ty\n")
    document = run_json("ceiling", molecules, "--graphs", "--targets", targets)
    assert document["of"] == "graphs"
    train = document["splits"]["train"]
    assert [score["correct"] for score in train["rounds"]] == [2] * len(train["rounds"])
    (group,) = document["colliding"]
    assert [target["name"] for target in group["targets"]] == ["ring.tsv", "two.tsv.gz"]
    stronger = run_json("ceiling", molecules, "--graphs", "--targets", targets, "--test", "2-rlwl")
    assert stronger["splits"]["train"]["rounds"][-1]["correct"] == 3
    text = run("ceiling", molecules, "--graphs", "--targets", targets).stdout
    assert "no model bounded by 1-rwl gets more than 2 of 3 (train) right" in text


@pytest.mark.parametrize("spelling", ["{}", "#{}", "two.g6#{}", "two#{}", "{folder}/two.g6#{}"])
def test_graphs_of_a_file_are_counted_from_one(
    run_json: RunJson, spelling: str, tmp_path: Path
) -> None:
    file, targets = tmp_path / "two.g6", tmp_path / "t.tsv"
    file.write_bytes(b"A_\nBw\nC~\nA_\n")
    names = [spelling.format(number, folder=tmp_path) for number in (1, 2, 4)]
    rows = "".join(f"{name}\t{label}\n" for name, label in zip(names, "xxy", strict=True))
    targets.write_text("graph\tlabel\n" + rows)
    document = run_json("ceiling", file, "--graphs", "--targets", targets)
    (group,) = document["colliding"]
    assert [target["name"] for target in group["targets"]] == ["two.g6#1", "two.g6#4"]
    assert document["splits"]["train"]["rounds"][-1]["correct"] == 2


@pytest.mark.parametrize(
    ("files", "rows", "message"),
    [
        ({"a.nt": "<a:a> <a:a> <a:a> .\n"}, "b\tx\n", "none of the 1 entities is a graph of the"),
        ({"a.tsv": "a\tr\tb\n", "a.csv": "a,r,b\n"}, "a\tx\n", "'a' could mean several graphs"),
        ({"a.md": ""}, "a\tx\n", "there is no file of graphs in this folder"),
        ({"a.tsv": "a\tr\tb\n", "b.g6": "A_\n"}, "a\tx\n", "different direction modes"),
    ],
)
def test_a_folder_that_cannot_be_used_is_refused(
    run: Run, files: dict[str, str], rows: str, message: str, tmp_path: Path
) -> None:
    folder = tmp_path / "graphs"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    (tmp_path / "t.tsv").write_text("graph\tlabel\n" + rows)
    result = run("ceiling", folder, "--graphs", "--targets", tmp_path / "t.tsv")
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert "Traceback" not in result.output


def test_a_format_makes_every_file_of_a_folder_a_graph(run_json: RunJson, tmp_path: Path) -> None:
    folder = tmp_path / "graphs"
    folder.mkdir()
    (folder / "one").write_text("a\tr\tb\n")
    (tmp_path / "t.tsv").write_text("graph\tlabel\none\tx\n")
    arguments = ("ceiling", folder, "--graphs", "--targets", tmp_path / "t.tsv", "--format", "tsv")
    assert run_json(*arguments)["splits"]["train"]["targets"] == 1


# -- how it ends ----------------------------------------------------------------------------------


def test_a_mistake_ends_with_a_message_and_its_status(
    run: Run, twins: Arguments, tmp_path: Path
) -> None:
    for arguments, status, message in (
        ([*twins, "--test", "magic"], 2, "unknown test 'magic'. Known: 1-wl"),
        ([*twins, "--rounds", "-1"], 2, "must not be negative"),
        ([*twins, "--limit", "-1"], 2, "--limit"),
        ([*twins, "--literals", "some"], 2, "shared, occurrence, drop"),
        ([*twins, "--entity-column", "who"], 2, "no column is called 'who'"),
        ([twins[0], "--targets", tmp_path / "none.tsv"], 2, "no such file"),
        ([twins[0]], 2, "--targets"),
        ([*twins, "--test", "3-rlwl", "--max-memory", "1K"], 3, "--max-memory"),
    ):
        result = run("ceiling", *arguments)
        assert (result.exit_code, result.stdout) == (status, "")
        assert message in result.stderr


def test_names_cannot_control_the_terminal(run: Run, tmp_path: Path) -> None:
    graph, targets = tmp_path / "g.tsv", tmp_path / "t.tsv"
    graph.write_text("a\x1b[31m\tr\tc\nb[bold]\tr\tc\n")
    targets.write_text("entity\tlabel\na\x1b[31m\tx\x1b[0m\nb[bold]\ty\nz\x1b\tz\n")
    result = run("ceiling", graph, "--targets", targets)
    assert result.exit_code == 0
    assert "\x1b" not in result.output
    assert "b[bold]" in result.stdout


def test_the_benchmark_is_reported_in_80_columns(
    run: Run, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_terminal(monkeypatch, 80)
    folder = data_dir / "aifb"
    parts = ["--targets", folder / "trainingSet.tsv", "--holdout", folder / "testSet.tsv"]
    result = run(
        "ceiling", folder / "aifb_stripped.nt.gz", *parts, "--literals", "drop", "--every-direction"
    )
    assert max(map(len, result.stdout.splitlines()[1:])) <= 80
    text = " ".join(result.stdout.split())
    assert "gets more than 136 of 140 (train) and 33 of 36 (test) right" in text
    assert "41 targets in 1 class of round 4 with more than one label" in text
