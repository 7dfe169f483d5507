"""``wlkg ceiling``: what it prints, which targets it understands, and how it ends."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from wlkg.cli import app
from wlkg.readers.collection import read_collection
from wlkg.readers.read import read_all

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


def run(*words: object) -> Any:
    return CliRunner().invoke(app, ["ceiling", *map(str, words)], prog_name="wlkg")


def document(*words: object) -> dict[str, Any]:
    result = run(*words, "--json")
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.fixture
def people(tmp_path: Path) -> list[str | Path]:
    """A graph with a pair of twins (ann and ben) of different labels, and tables of targets."""
    graph, train, test = (tmp_path / name for name in ("kg.ttl", "train.tsv", "test.tsv"))
    graph.write_text(
        "@prefix : <a:> .\n"
        ':ann :knows :cat . :ben :knows :cat . :cat :name "Cat" . :dan :name "Dan", "D." .\n'
    )
    train.write_text("person\tlabel\na:ann\tx\na:ben\ty\na:cat\ty\n")
    test.write_text("person\tlabel\na:dan\ty\n")
    return [graph, "--targets", train, "--holdout", test]


def test_json_has_the_keys_that_scripts_rely_on(people: list[str | Path]) -> None:
    found = document(*people)
    assert found["schema"] == "wlkg/ceiling/1"
    assert (found["test"], found["direction"], found["literals"]) == ("1-rwl", "both", "shared")
    assert found["stable"] is found["exact"] is True
    assert found["of"] == "vertices"
    assert found["labels"] == ["x", "y"]
    assert found["seconds"] >= 0
    train, test = found["splits"]["train"]["rounds"], found["splits"]["test"]["rounds"]
    assert [(score["correct"], score["total"]) for score in train][:2] == [(2, 3), (2, 3)]
    assert all(set(score) == ROUND for score in train + test)
    assert [score["round"] for score in train] == list(range(len(train)))
    assert len(train) == len(test) == len(found["fitted"])
    assert found["rounds"] == [
        {"split": split, **score}
        for split in ("train", "test")
        for score in found["splits"][split]["rounds"]
    ]
    assert found["fitted"][0] == {"round": 0, "correct": 1, "total": 1, "accuracy": 1.0}
    assert found["colliding_classes"] == 1
    assert found["colliding_targets"] == 2
    assert [each["targets"] for each in found["colliding"]] == [
        [
            {"name": "a:ann", "label": "x", "split": "train"},
            {"name": "a:ben", "label": "y", "split": "train"},
        ]
    ]
    (variant,) = found["variants"]
    assert variant.items() <= found.items()


def test_text_says_the_limit_the_rounds_and_who_collides(people: list[str | Path]) -> None:
    result = run(*people)
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 80
    text = " ".join(result.stdout.split())
    assert "no model bounded by 1-rwl gets more than 2 of 3 (train) and 1 of 1 (test) right" in text
    for part in ("round", "balanced", "macro-F1", "fitted", "a:ann", "a:ben", "stable at round"):
        assert part in text
    assert "2 targets in 1 class of round" in text
    assert result.stderr == ""


def test_without_a_holdout_there_is_one_split_and_nothing_is_fitted(
    people: list[str | Path],
) -> None:
    found = document(*people[:3])
    assert set(found["splits"]) == {"train"}
    assert found["fitted"] is None
    assert found["holdout"] is None
    text = run(*people[:3]).stdout
    assert "test:" not in text
    assert "fitted" not in text


def test_a_test_that_is_no_obstacle_is_said_to_set_no_limit(tmp_path: Path) -> None:
    targets = tmp_path / "t.tsv"
    targets.write_text("entity\tlabel\n0\tx\n1\tx\n")
    text = run("example:c6", "--targets", targets).stdout
    assert "1-rwl sets no limit" in text
    assert "targets of different labels are all told apart" in text


def test_stopping_early_is_said_in_terms_of_layers(people: list[str | Path]) -> None:
    text = " ".join(run(*people, "--rounds", 1).stdout.split())
    assert "no model of at most 1 layer bounded by 1-rwl" in text
    assert "stopped after round 1" in text
    assert len(document(*people, "--rounds", 0)["fitted"]) == 1


def test_variants_are_all_tests_directions_and_literals_the_asked_for_first(
    people: list[str | Path],
) -> None:
    words = ["--test", "1-wl", "--test", "2-rlwl", "--test", "1-wl", "--literals", "drop"]
    every = ["--every-direction", "--every-literals"]
    found = document(*people[:3], *words, "--direction", "out", *every)
    kinds = [(v["literals"], v["test"], v["direction"]) for v in found["variants"]]
    assert kinds == [
        (literals, test, direction)
        for literals in ("drop", "shared", "occurrence")
        for test in ("1-wl", "2-rlwl")
        for direction in ("out", "both", "undirected", "in")
    ]
    assert found["literals"] == "drop"
    text = run(*people[:3], "--test", "1-wl", *every)
    assert text.exit_code == 0
    rows = text.stdout.partition("highest accuracy")[2].splitlines()
    assert len(rows) == 2 + 12
    assert max(map(len, rows)) <= 80
    assert rows[2].split()[:3] == ["1-wl", "both", "shared"]


def test_targets_that_are_missing_or_in_both_tables_are_noted(
    people: list[str | Path], tmp_path: Path
) -> None:
    more = tmp_path / "more.tsv"
    more.write_text("person\tlabel\na:ann\tx\na:zoe\ty\n")
    result = run(*people[:3], "--holdout", more)
    assert "note: test, literals shared: 1 target is not there: a:zoe" in result.stderr
    assert "note: 1 target is in both splits: fitted has seen their labels" in result.stderr
    found = document(*people[:3], "--holdout", more)
    assert found["splits"]["test"]["missing"] == ["a:zoe"]
    assert found["splits"]["test"]["targets"] == 1
    assert found["in_both"] == 1


def test_targets_that_are_lost_with_the_literals_are_an_error(people: list[str | Path]) -> None:
    result = run(*people, "--every-literals")
    assert result.exit_code == 2
    assert "test.tsv: none of the 1 entities is a vertex of the graph: a:dan" in result.stderr


def test_the_limit_shortens_the_list_but_not_the_counts(tmp_path: Path) -> None:
    graph, targets = tmp_path / "g.tsv", tmp_path / "t.tsv"
    graph.write_text("".join(f"a{i}\tr{i % 3}\tb{i}\n" for i in range(6)))
    rows = [f"{side}{i}\tlabel{i}\n" for i in range(6) for side in "ab"]
    targets.write_text("entity\tlabel\n" + "".join(rows))
    found = document(graph, "--targets", targets, "--limit", 2)
    assert (found["colliding_classes"], found["colliding_targets"]) == (6, 12)
    assert len(found["colliding"]) == 2
    assert (
        "4 more classes; --limit lists more"
        in run(graph, "--targets", targets, "--limit", 2).stdout
    )


def test_many_rounds_and_many_targets_are_cut_short_in_text(tmp_path: Path) -> None:
    graph, targets = tmp_path / "g.tsv", tmp_path / "t.tsv"
    graph.write_text("".join(f"{i}\tr\t{i + 1}\n" for i in range(40)))
    rows = [f"{i}\t{'even' if i % 2 == 0 else 'odd'}\n" for i in range(41)]
    targets.write_text("entity\tlabel\n" + "".join(rows))
    words = (graph, "--targets", targets, "--direction", "out")
    lines = run(*words).stdout.splitlines()
    table = [line.split()[0] for line in lines if line.split()[:1] and "%" in line]
    assert table == [*map(str, range(8)), "39", "40"]
    assert any(line.strip() == "..." for line in lines)
    early = run(*words, "--rounds", 0).stdout
    assert "and 19 more" in early
    assert "and 18 more" in early


# -- a trained model ------------------------------------------------------------------------------


def trained(path: Path, **changes: Any) -> Path:
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


def test_a_trained_model_is_put_beside_the_ceiling_of_its_round(
    people: list[str | Path], tmp_path: Path
) -> None:
    file = trained(tmp_path / "run.json")
    found = document(*people, "--trained", file)["trained"]
    assert (found["model"], found["layers"]) == ("rgcn", 2)
    assert found["splits"]["train"]["share"] == pytest.approx(1)
    assert found["splits"]["test"] == {
        "round": 2,
        "accuracy": 0.5,
        "ceiling": 1.0,
        "share": 0.5,
        "exceeds": False,
    }
    text = run(*people, "--trained", file).stdout
    assert "reaches 50.0 % of what is possible" in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"model": "rgcn", "layers": 1, "norm": True}, 1),
        ({"model": "compgcn", "layers": 1, "norm": False}, 1),
        ({"model": "compgcn", "layers": 1, "norm": True}, 2),
        ({"model": "rgcn", "layers": 50, "norm": True}, 2),
    ],
)
def test_dividing_by_the_neighbours_degrees_sees_one_round_further(
    config: dict[str, Any], expected: int, people: list[str | Path], tmp_path: Path
) -> None:
    file = trained(tmp_path / "run.json", config=config)
    found = document(*people, "--rounds", 2, "--trained", file)["trained"]
    assert found["splits"]["test"]["round"] == expected


def test_validation_targets_count_as_targets_of_training(tmp_path: Path) -> None:
    targets = tmp_path / "t.tsv"
    targets.write_text("entity\tlabel\n" + "".join(f"{i}\tx\n" for i in range(20)))
    accuracies = {"train_accuracy": 1.0, "validation_accuracy": 0.0, "test_accuracy": None}
    file = trained(tmp_path / "run.json", targets=[{"vertices": 20}], **accuracies)
    found = document("example:dodecahedron", "--targets", targets, "--trained", file)["trained"]
    # 3 of the 20 were held out.
    assert found["splits"]["train"]["accuracy"] == pytest.approx(17 / 20)
    assert "test" not in found["splits"]


def test_a_model_above_the_ceiling_is_said_not_to_be_bounded(
    people: list[str | Path], tmp_path: Path
) -> None:
    file = trained(tmp_path / "run.json", train_accuracy=1.0)
    text = run(*people, "--trained", file).stdout
    assert "more than 1-rwl allows" in text
    assert "1-rwl does not bound this model, or it saw another graph or other targets" in text
    assert document(*people, "--trained", file)["trained"]["splits"]["train"]["exceeds"] is True


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
    text: str, message: str, people: list[str | Path], tmp_path: Path
) -> None:
    (tmp_path / "run.json").write_text(text)
    result = run(*people, "--trained", tmp_path / "run.json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert "Write it with: wlkg train" in result.stderr


def test_a_model_with_other_targets_is_refused(people: list[str | Path], tmp_path: Path) -> None:
    file = trained(tmp_path / "run.json", targets=[{"vertices": 4}, {"vertices": 1}])
    result = run(*people, "--trained", file)
    assert result.exit_code == 2
    assert "the model has 4 train targets, there are 3 here" in result.stderr


def test_what_train_prints_is_understood(people: list[str | Path], tmp_path: Path) -> None:
    pytest.importorskip("torch")
    words = ["train", *people, "--epochs", 2, "--json"]
    printed = CliRunner().invoke(app, [*map(str, words)], prog_name="wlkg")
    assert printed.exit_code == 0, printed.output
    (tmp_path / "run.json").write_text(printed.stdout)
    found = document(*people, "--trained", tmp_path / "run.json")["trained"]
    assert set(found["splits"]) == {"train", "test"}
    assert not any(split["exceeds"] for split in found["splits"].values())


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


def test_graphs_of_a_folder_are_named_by_their_files(molecules: Path) -> None:
    targets = molecules / "labels.tsv"
    targets.write_text("molecule\tlabel\nring\tx\ntwo.tsv\ty\npath.nt\ty\n")
    found = document(molecules, "--graphs", "--targets", targets)
    assert found["of"] == "graphs"
    train = found["splits"]["train"]
    assert [score["correct"] for score in train["rounds"]] == [2] * len(train["rounds"])
    (each,) = found["colliding"]
    assert [target["name"] for target in each["targets"]] == ["ring.tsv", "two.tsv.gz"]
    stronger = document(molecules, "--graphs", "--targets", targets, "--test", "2-rlwl")
    assert stronger["splits"]["train"]["rounds"][-1]["correct"] == 3
    text = run(molecules, "--graphs", "--targets", targets).stdout
    assert "no model bounded by 1-rwl gets more than 2 of 3 (train) right" in text


@pytest.mark.parametrize("spelling", ["{}", "#{}", "two.g6#{}", "two#{}", "{folder}/two.g6#{}"])
def test_graphs_of_a_file_are_counted_from_one(spelling: str, tmp_path: Path) -> None:
    file, targets = tmp_path / "two.g6", tmp_path / "t.tsv"
    file.write_bytes(b"A_\nBw\nC~\nA_\n")
    names = [spelling.format(number, folder=tmp_path) for number in (1, 2, 4)]
    rows = "".join(f"{name}\t{label}\n" for name, label in zip(names, "xxy", strict=True))
    targets.write_text("graph\tlabel\n" + rows)
    found = document(file, "--graphs", "--targets", targets)
    (each,) = found["colliding"]
    assert [target["name"] for target in each["targets"]] == ["two.g6#1", "two.g6#4"]
    assert found["splits"]["train"]["rounds"][-1]["correct"] == 2


def test_files_of_several_graphs_in_a_folder_are_numbered_too(tmp_path: Path) -> None:
    (tmp_path / "a.g6").write_bytes(b"A_\nBw\n")
    (tmp_path / "b.g6").write_bytes(b"C~\n")
    found = read_collection(str(tmp_path), read_all)
    assert found.names == ("a.g6#1", "a.g6#2", "b.g6")
    places = [found.find(name) for name in ("a#2", "a.g6#1", "b", "b#1", "b.g6", "a", "3")]
    assert places == [1, 0, 2, 2, 2, None, None]


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
    files: dict[str, str], rows: str, message: str, tmp_path: Path
) -> None:
    folder = tmp_path / "graphs"
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text)
    (tmp_path / "t.tsv").write_text("graph\tlabel\n" + rows)
    result = run(folder, "--graphs", "--targets", tmp_path / "t.tsv")
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert "Traceback" not in result.output


def test_a_format_makes_every_file_of_a_folder_a_graph(tmp_path: Path) -> None:
    folder = tmp_path / "graphs"
    folder.mkdir()
    (folder / "one").write_text("a\tr\tb\n")
    (tmp_path / "t.tsv").write_text("graph\tlabel\none\tx\n")
    words = (folder, "--graphs", "--targets", tmp_path / "t.tsv")
    assert document(*words, "--format", "tsv")["splits"]["train"]["targets"] == 1


# -- how it ends ----------------------------------------------------------------------------------


def test_bad_words_end_with_one_message(people: list[str | Path], tmp_path: Path) -> None:
    for words, code, message in (
        ([*people, "--test", "magic"], 2, "unknown test 'magic'. Known: 1-wl"),
        ([*people, "--rounds", "-1"], 2, "must not be negative"),
        ([*people, "--limit", "-1"], 2, "--limit"),
        ([*people, "--literals", "some"], 2, "shared, occurrence, drop"),
        ([*people, "--entity-column", "who"], 2, "no column is called 'who'"),
        ([people[0], "--targets", tmp_path / "none.tsv"], 2, "no such file"),
        ([people[0]], 2, "--targets"),
        ([*people, "--graphs", "--trained", "run.json"], 2, "--trained is about vertices"),
        ([*people, "--test", "3-rlwl", "--max-memory", "1K"], 3, "--max-memory"),
    ):
        result = run(*words)
        assert (result.exit_code, result.stdout) == (code, "")
        assert message in result.stderr


def test_names_cannot_steer_the_terminal(tmp_path: Path) -> None:
    graph, targets = tmp_path / "g.tsv", tmp_path / "t.tsv"
    graph.write_text("a\x1b[31m\tr\tc\nb[bold]\tr\tc\n")
    targets.write_text("entity\tlabel\na\x1b[31m\tx\x1b[0m\nb[bold]\ty\nz\x1b\tz\n")
    result = run(graph, "--targets", targets)
    assert result.exit_code == 0
    assert "\x1b" not in result.output
    assert "b[bold]" in result.stdout


def test_the_benchmark_is_told_in_80_columns(data_dir: Path) -> None:
    folder = data_dir / "aifb"
    parts = ["--targets", folder / "trainingSet.tsv", "--holdout", folder / "testSet.tsv"]
    result = run(folder / "aifb_stripped.nt.gz", *parts, "--literals", "drop", "--every-direction")
    assert max(map(len, result.stdout.splitlines()[1:])) <= 80
    text = " ".join(result.stdout.split())
    assert "gets more than 136 of 140 (train) and 33 of 36 (test) right" in text
    assert "41 targets in 1 class of round 4 with more than one label" in text
