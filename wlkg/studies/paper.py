"""The experiments and questions of the paper's study, Figures 1 to 3 and Q1 to Q4, as data."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from wlkg.gnn.compositions import COMPOSITIONS
from wlkg.gnn.config import ModelChoice
from wlkg.studies.paper_data import WIDTH, find_paper_study
from wlkg.studies.study import Contrast, DataFiles, Experiment, Question, Study, StudyModel

#: The compositions of Figure 3 are add, mult, rotate and an MLP; the others are ours.
SHOWN_COMPOSITIONS = ("mult", "add", "rotate", "mlp", "mlp2", "sub", "corr", "concat")
#: The components that Figure 2 leaves out.
ABLATED = {"-dir": "direction", "-norm": "norm", "-rp": "relation_update"}


def paper_study(name: str, data: DataFiles) -> Study:
    """The paper's study of a data set, in full."""
    paper = find_paper_study(name)
    width = "accuracy" if paper.widths == (WIDTH,) else "width"
    title = "accuracy (Figure 1b)" if width == "accuracy" else "accuracy by width (Figure 1a)"
    questions = _questions(width)
    return Study(
        name=name,
        title=paper.title,
        data=data,
        experiments=(
            Experiment(width, title, _models(paper.bias), paper.widths),
            Experiment("ablations", "ablations of CompGCN (Figure 2)", _ablations(), (WIDTH,)),
            Experiment("compositions", "compositions of CompGCN (Figure 3)", _composed(), (WIDTH,)),
        ),
        questions=tuple(
            question
            for question in questions
            if question.compares == "models" or len(paper.widths) > 1
        ),
    )


def _models(bias: bool) -> tuple[StudyModel, ...]:
    """The models of Figure 1."""
    return (
        StudyModel("R-GCN, sum", ModelChoice("rgcn", bias=bias)),
        StudyModel("R-GCN, mean", ModelChoice("rgcn", aggregation="mean", bias=bias)),
        StudyModel("R-GCN + MLP", ModelChoice("rgcn-mlp", bias=bias)),
        StudyModel("CompGCN", ModelChoice("compgcn")),
    )


def _ablations() -> tuple[StudyModel, ...]:
    """Figure 2: every set of components left out, the smallest first."""
    models = []
    for left_out in _subsets():
        options: dict[str, Any] = {ABLATED[word]: False for word in left_out}
        models.append(StudyModel(_ablation_name(left_out), _compgcn(**options)))
    return tuple(models)


def _subsets() -> list[tuple[str, ...]]:
    return [subset for count in range(4) for subset in combinations(ABLATED, count)]


def _ablation_name(left_out: tuple[str, ...]) -> str:
    return " ".join(left_out) or "full"


def _without(word: str) -> Contrast:
    """All models without a component against all models with it."""
    without, others = (
        tuple(_ablation_name(subset) for subset in _subsets() if (word in subset) == is_out)
        for is_out in (True, False)
    )
    return Contrast(
        f"{word} in any combination", without, f"the same with {word.removeprefix('-')}", others
    )


def _by_theory() -> Contrast:
    """The compositions whose plain layers are bounded by weak-rwl against the others."""
    names = [name for name in SHOWN_COMPOSITIONS if name in COMPOSITIONS]
    weak, strong = (
        tuple(name for name in names if (COMPOSITIONS[name].bounded_by == "weak-rwl") == is_weak)
        for is_weak in (True, False)
    )
    titles = (f"the mean of {', '.join(group)}" for group in (weak, strong))
    return Contrast(next(titles), weak, next(titles), strong)


def _composed() -> tuple[StudyModel, ...]:
    """Figure 3."""
    names = [name for name in SHOWN_COMPOSITIONS if name in COMPOSITIONS]
    return tuple(StudyModel(name, _compgcn(composition=name)) for name in names)


def _compgcn(**options: Any) -> ModelChoice:
    return ModelChoice("compgcn", **options)


def _questions(width: str) -> tuple[Question, ...]:
    return (
        Question(
            name="Q1",
            text="Does the theoretical equivalence of R-GCN and CompGCN hold in practice?",
            experiment=width,
            compares="models",
            reference="R-GCN, sum",
            if_found="Not quite",
            if_none="Yes, as far as these runs can tell",
            contrasts=(Contrast("CompGCN", ("CompGCN",), "R-GCN, sum", ("R-GCN, sum",)),),
        ),
        Question(
            name="Q2",
            text="Does the performance depend on the dimension of vertex features?",
            experiment=width,
            compares="widths",
            reference=WIDTH,
            if_found="Yes, in part",
            if_none="No",
        ),
        Question(
            name="Q3",
            text="Does CompGCN benefit from normalization and learnable edge weights?",
            experiment="ablations",
            compares="models",
            reference="full",
            if_found="Some components matter",
            if_none="No component has an effect",
            contrasts=tuple(_without(word) for word in ABLATED),
        ),
        Question(
            name="Q4",
            text="Does the theoretical difference in composition functions of CompGCN hold in "
            "practice?",
            experiment="compositions",
            compares="models",
            reference="mult",
            if_found="Some compositions differ",
            if_none="No, the compositions are alike",
            contrasts=(_by_theory(),),
        ),
    )
