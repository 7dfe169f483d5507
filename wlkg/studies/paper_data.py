"""The data sets of the paper's study, and what the paper prints about them (Tables 1 and 3).

The paper uses AIFB and AM. MUTAG and BGS belong to the same collection and are studied in the same
form; for them there are no numbers of the paper, and the hyperparameters are those of AIFB or AM,
by the size of the graph. Table 2, the hyperparameters, is in `wlkg.gnn.config`.
"""

from __future__ import annotations

from dataclasses import dataclass

from wlkg.errors import unknown_name

#: Where the files come from.
COLLECTION = (
    "the collection of benchmark data sets of Ristoski, de Vries and Paulheim (ISWC 2016), "
    "in the form in which the R-GCN paper's code publishes it"
)

WIDTHS = (2, 4, 8, 16, 32, 64, 128)
#: The width of ablations and compositions; from here on, more width changes nothing (Q2).
WIDTH = 4


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


def _names(*names: str) -> tuple[str, ...]:
    return tuple(f"{name}{suffix}" for name in names for suffix in ("", ".gz"))


_SMALL = Quick(seeds=3, epochs=1000, widths=(2, 4, 16, 64))
_LARGE = Quick(seeds=3, epochs=20, widths=(4,))

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
        title="MUTAG (not in the paper, hyperparameters of AIFB)",
        graphs=_names("mutag_stripped.nt", "mutag.nt", "carcinogenesis.nt", "carcinogenesis.owl"),
        entity_column="bond",
        label_column="label_mutagenic",
        label_relations=("http://dl-learner.org/carcinogenesis#isMutagenic",),
        widths=WIDTHS,
        quick=_SMALL,
    ),
    "bgs": PaperStudy(
        title="BGS (not in the paper, hyperparameters of AM)",
        graphs=_names("bgs_stripped.nt", "bgs.nt"),
        entity_column="rock",
        label_column="label_lithogenesis",
        label_relations=("http://data.bgs.ac.uk/ref/Lexicon/hasLithogenesis",),
        widths=(WIDTH,),
        quick=_LARGE,
    ),
}


def find_paper_study(name: str) -> PaperStudy:
    """The study of that name, or an error that lists the known names."""
    if name not in PAPER:
        raise unknown_name("study", name, [*PAPER, "or a file that ends in .toml"])
    return PAPER[name]
