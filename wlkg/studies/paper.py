"""The paper's experimental study as data: Tables 1 to 3, and its experiments and questions.

The paper uses AIFB and AM. MUTAG and BGS belong to the same collection and are studied in the same
form; for them there are no numbers of the paper, and the hyperparameters are those of AIFB or AM,
by the size of the graph.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

from wlkg.errors import unknown_name
from wlkg.gnn.compositions import COMPOSITIONS
from wlkg.gnn.config import ModelChoice
from wlkg.studies.study import DataFiles, Experiment, Question, Study, StudyModel

#: Where the files come from.
COLLECTION = (
    "the collection of benchmark data sets of Ristoski, de Vries and Paulheim (ISWC 2016), "
    "in the form in which the R-GCN paper's code publishes it"
)

WIDTHS = (2, 4, 8, 16, 32, 64, 128)
#: The width of ablations and compositions; from here on, more width changes nothing (Q2).
WIDTH = 4
#: The compositions of Figure 3 are add, mult, rotate and an MLP; the others are ours.
SHOWN_COMPOSITIONS = ("mult", "add", "rotate", "mlp", "mlp2", "sub", "corr", "concat")


@dataclass(frozen=True)
class PaperTable:
    """What the paper prints about a data set."""

    #: Table 1.
    vertices: int
    edges: int
    relations: int
    train: int
    test: int
    classes: int
    #: Table 3: from the model and the width to the number of parameters.
    parameters: dict[str, dict[int, int]]


@dataclass(frozen=True)
class Quick:
    """A smaller study, which takes minutes."""

    seeds: int
    epochs: int
    widths: tuple[int, ...]


@dataclass(frozen=True)
class PaperStudy:
    """A data set of the collection: its files, how it is studied, and what the paper prints."""

    title: str
    #: Names that the graph's file may have.
    graphs: tuple[str, ...]
    entity_column: str
    label_column: str
    #: Relations from which the labels were made. The files called stripped lack them.
    label_relations: tuple[str, ...]
    widths: tuple[int, ...]
    quick: Quick
    #: Whether R-GCN has a bias, as its parameter counts show.
    bias: bool = False
    printed: PaperTable | None = None
    targets: str = "trainingSet.tsv"
    holdout: str = "testSet.tsv"
    departures: tuple[str, ...] = ()


def _names(*names: str) -> tuple[str, ...]:
    return tuple(f"{name}{suffix}" for name in names for suffix in ("", ".gz"))


_SMALL = Quick(seeds=3, epochs=1000, widths=(2, 4, 16, 64))
_LARGE = Quick(seeds=3, epochs=20, widths=(4,))
_NOT_IN_PAPER = "not a data set of the paper; hyperparameters of {like}"

PAPER: dict[str, PaperStudy] = {
    "aifb": PaperStudy(
        title="AIFB",
        graphs=(
            *_names("aifb_stripped.nt", "aifb.nt", "aifbfixed_complete.n3"),
            *_names("aifbfixed_complete.nt", "aifbfixed_complete.ttl"),
        ),
        entity_column="person",
        label_column="label_affiliation",
        label_relations=(
            "http://swrc.ontoware.org/ontology#affiliation",
            "http://swrc.ontoware.org/ontology#employs",
        ),
        widths=WIDTHS,
        quick=_SMALL,
        printed=PaperTable(
            vertices=8_285,
            edges=29_043,
            relations=45,
            train=140,
            test=36,
            classes=4,
            parameters={
                "rgcn": dict(
                    zip(WIDTHS, (1092, 2912, 8736, 29120, 104832, 396032, 1537576), strict=True)
                ),
                "rgcn-mlp": dict(
                    zip(WIDTHS, (1144, 2992, 8920, 29704, 106984, 404392, 1570600), strict=True)
                ),
                "compgcn": dict(
                    zip(WIDTHS, (262, 576, 1168, 3636, 10852, 36036, 129412), strict=True)
                ),
            },
        ),
    ),
    "am": PaperStudy(
        title="AM",
        graphs=_names("am_stripped.nt", "am.nt", "am-combined.nt"),
        entity_column="proxy",
        label_column="label_cateogory",  # so spelt in the files
        label_relations=(
            "http://purl.org/collections/nl/am/objectCategory",
            "http://purl.org/collections/nl/am/material",
        ),
        widths=(WIDTH,),
        quick=_LARGE,
        bias=True,
        printed=PaperTable(
            vertices=1_666_764,
            edges=5_988_321,
            relations=133,
            train=802,
            test=198,
            classes=11,
            parameters={"rgcn": {4: 20_311}, "rgcn-mlp": {4: 20_655}, "compgcn": {4: 1_292}},
        ),
    ),
    "mutag": PaperStudy(
        title="MUTAG",
        graphs=_names("mutag_stripped.nt", "mutag.nt", "carcinogenesis.nt", "carcinogenesis.owl"),
        entity_column="bond",
        label_column="label_mutagenic",
        label_relations=("http://dl-learner.org/carcinogenesis#isMutagenic",),
        widths=WIDTHS,
        quick=_SMALL,
        departures=(_NOT_IN_PAPER.format(like="AIFB"),),
    ),
    "bgs": PaperStudy(
        title="BGS",
        graphs=_names("bgs_stripped.nt", "bgs.nt"),
        entity_column="rock",
        label_column="label_lithogenesis",
        label_relations=("http://data.bgs.ac.uk/ref/Lexicon/hasLithogenesis",),
        widths=(WIDTH,),
        quick=_LARGE,
        departures=(_NOT_IN_PAPER.format(like="AM"),),
    ),
}


def find_paper_study(name: str) -> PaperStudy:
    """The study of that name, or an error that lists the known names."""
    if name not in PAPER:
        raise unknown_name("study", name, [*PAPER, "or a file that ends in .toml"])
    return PAPER[name]


def paper_study(name: str, data: DataFiles) -> Study:
    """The paper's study of a data set, in full."""
    paper = find_paper_study(name)
    width = "accuracy" if paper.widths == (WIDTH,) else "width"
    questions = _questions(width)
    return Study(
        name=name,
        title=paper.title,
        data=data,
        experiments=(
            Experiment(width, f"Models on {paper.title}", _models(paper.bias), paper.widths),
            Experiment("ablations", "CompGCN without some components", _ablations(), (WIDTH,)),
            Experiment("compositions", "CompGCN with other compositions", _composed(), (WIDTH,)),
        ),
        questions=tuple(
            question
            for question in questions
            if question.compares == "models" or len(paper.widths) > 1
        ),
        departures=paper.departures,
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
    switches = {"-dir": "direction", "-norm": "norm", "-rp": "relation_update"}
    models = []
    for count in range(len(switches) + 1):
        for left_out in combinations(switches, count):
            options: dict[str, Any] = {switches[word]: False for word in left_out}
            models.append(StudyModel(" ".join(left_out) or "full", _compgcn(**options)))
    return tuple(models)


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
            if_found="Not for every model",
            if_none="Yes, as far as these runs can tell",
        ),
        Question(
            name="Q2",
            text="Does the performance depend on the dimension of vertex features?",
            experiment=width,
            compares="widths",
            reference=WIDTH,
            if_found="Yes, in part",
            if_none="No dependence was found",
        ),
        Question(
            name="Q3",
            text="Does CompGCN benefit from normalization and learnable edge weights?",
            experiment="ablations",
            compares="models",
            reference="full",
            if_found="Some components matter",
            if_none="No effect of any component was found",
        ),
        Question(
            name="Q4",
            text="Does the theoretical difference in composition functions of CompGCN hold in "
            "practice?",
            experiment="compositions",
            compares="models",
            reference="mult",
            if_found="Some compositions differ",
            if_none="No difference between compositions was found",
        ),
    )
