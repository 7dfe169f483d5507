from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.places import ROOT
from tests.studies.toy import TOML, toy_study, write_toy
from wlkg.errors import InputError
from wlkg.studies.dataset import check_files, load_dataset
from wlkg.studies.toml_study import STUDY_KEYS, model_keys, read_study


def test_a_study_is_read_with_paths_beside_its_file(tmp_path: Path) -> None:
    study = toy_study(tmp_path)
    assert (study.name, study.title, study.seeds, study.measure) == ("toy.toml", "Toy", 2, "test")
    assert study.data.graph == str(tmp_path / "toy.tsv")
    (experiment,) = study.experiments
    assert experiment.widths == (2, 4)
    assert [(m.name, m.choice.model, m.epochs) for m in experiment.models] == [
        ("R-GCN", "rgcn", 5),
        ("CompGCN", "compgcn", 5),
    ]
    assert [question.name for question in study.questions] == ["Q1", "Q2"]
    assert load_dataset(study.data).graph.num_vertices == 25


def test_paths_may_be_relative_to_another_folder(tmp_path: Path) -> None:
    path = write_toy(tmp_path / "files")
    moved = path.rename(tmp_path / "toy.toml")
    assert read_study(str(moved), str(tmp_path / "files")).data.targets == str(
        tmp_path / "files" / "train.tsv"
    )


def test_a_model_may_have_every_option_and_hyperparameters_of_its_own(tmp_path: Path) -> None:
    toml = TOML + 'composition = "add"\nnorm = false\nlayers = 3\nepochs = 9\nlearning_rate = 1\n'
    model = toy_study(tmp_path, toml).experiments[0].models[1]
    assert (model.choice.composition, model.choice.norm, model.choice.layers) == ("add", False, 3)
    assert (model.epochs, model.learning_rate) == (9, 1)


def test_models_without_a_name_are_called_after_their_options(tmp_path: Path) -> None:
    toml = TOML.replace('name = "CompGCN"\n', "") + 'composition = "add"\n'
    names = [model.name for model in toy_study(tmp_path, toml).experiments[0].models]
    assert names == ["R-GCN", "compgcn, composition add"]


def test_the_keys_of_models_are_those_of_a_model_choice() -> None:
    keys = model_keys()
    assert keys["norm"] == (bool,)
    assert keys["layers"] == (int,)
    assert keys["aggregation"] == (str,)
    assert "width" not in keys


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("seeds = 2", "sedes = 2", "line 6: unknown key 'sedes' of a study. Known: title, graph, "),
        ('model = "rgcn"', "modle = 1", "line 11: unknown key 'modle' of a model. Known: name, "),
        ("seeds = 2", 'seeds = "2"', "line 6: seeds must be a whole number, found '2'"),
        ("seeds = 2", "seeds = true", "line 6: seeds must be a whole number, found True"),
        ("seeds = 2", "seeds = 0", "line 6: seeds must be at least 1, found 0"),
        ("epochs = 5", "epochs = -1", "line 7: epochs must be at least 0, found -1"),
        ("widths = [2, 4]", "widths = []", "line 5: widths must be a list of positive numbers"),
        ("widths = [2, 4]", "widths = [2.5]", "line 5: widths must be a list of positive numbers"),
        ('graph = "toy.tsv"', "", "graph is missing"),
        ("[[models]]", "[[modles]]", "unknown key 'modles' of a study"),
        ('model = "rgcn"', 'model = "gcn"', "unknown model 'gcn'. Known: "),
        ('name = "R-GCN"', 'name = "CompGCN"', "two models are called 'CompGCN'"),
        ("seeds = 2", 'literals = "none"', "line 6: unknown literals 'none'. Known: shared"),
        ("seeds = 2", "models = 2", "this is not TOML"),
        ("seeds = 2", "seeds = ", "this is not TOML: Invalid value (at line 6, column 9)"),
    ],
)
def test_mistakes_are_explained(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = write_toy(tmp_path, TOML.replace(old, new))
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        read_study(str(path))
    assert str(caught.value).startswith(str(path))


def test_a_study_that_is_not_there_or_not_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such study"):
        read_study(str(tmp_path / "nothing.toml"))
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not UTF-8"):
        read_study(str(tmp_path / "bytes.toml"))


def test_all_missing_files_are_named_at_once(tmp_path: Path) -> None:
    study = toy_study(tmp_path)
    (tmp_path / "toy.tsv").unlink()
    (tmp_path / "test.tsv").unlink()
    with pytest.raises(InputError, match=r"graph \(.*toy.tsv\), holdout \(.*test.tsv\)"):
        check_files(study.data)


def test_the_study_in_the_documentation_names_every_key_and_is_one(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "studies.md").read_text(encoding="utf-8")
    match = re.search(r"```toml\n(.*?)```", page, re.DOTALL)
    assert match is not None
    path = tmp_path / "museum.toml"
    path.write_text(match[1], encoding="utf-8")
    study = read_study(str(path))
    assert [model.name for model in study.experiments[0].models] == ["R-GCN", "CompGCN, add"]
    assert set(tomllib.loads(match[1])) == set(STUDY_KEYS)
