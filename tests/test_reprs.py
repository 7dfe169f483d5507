"""Every result fits a line or two at the prompt, and so does everything within it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from typing import Any

import pytest

import wlkg
from wlkg.display import Brief
from wlkg.examples.university import university_targets

#: Two lines of 100 characters.
LONGEST = 200

UNIVERSITY = wlkg.read("example:university")
IRI = "http://example.org/university/"
CYCLE, TRIANGLES = wlkg.read("example:c6"), wlkg.read("example:2xc3")


def vertex(name: str) -> int:
    return UNIVERSITY.vertex(IRI + name)


def targets() -> tuple[dict[str, str], dict[str, str]]:
    splits = university_targets()
    return dict(splits["train"]), dict(splits["test"])


def results() -> dict[str, Any]:
    """A result of every public function that needs no PyTorch."""
    from wlkg.analysis.counterexample import build, examine
    from wlkg.corpora import Group

    weak = wlkg.read("example:weak-rwl")
    train, test = targets()
    certificate = wlkg.certify(CYCLE, TRIANGLES, test="2-rlwl")
    refinement = wlkg.refine(UNIVERSITY)
    counterexample = build("cycles", {})
    return {
        "refine": refinement,
        "partition and history": (refinement.partition, refinement.history),
        "refine tuples": wlkg.refine(CYCLE, "2-rlwl"),
        "compare": wlkg.compare(CYCLE, TRIANGLES),
        "compare_vertices": wlkg.compare_vertices(weak, "v", weak, "w"),
        "separated_pairs": wlkg.separated_pairs(refinement, limit=50),
        "same_pairs": wlkg.same_pairs(refinement, limit=50),
        "classes": wlkg.classes(UNIVERSITY),
        "symmetry": wlkg.symmetry(UNIVERSITY, ["1-rwl"]),
        "explain a pair": wlkg.explain(UNIVERSITY, vertex("gwen-hahn"), vertex("hugo-iversen")),
        "explain a class": wlkg.explain(UNIVERSITY, vertex("gwen-hahn")),
        "explain graphs": wlkg.explain(CYCLE, wlkg.read("example:k33")),
        "explain_predictions": wlkg.explain_predictions(UNIVERSITY, train),
        "ceiling": wlkg.ceiling(UNIVERSITY, train, test),
        "link_ceiling": wlkg.link_ceiling(weak, [("v", "r", "w")], rounds=1),
        "relations": wlkg.relations(UNIVERSITY),
        "hierarchy": wlkg.hierarchy([Group("cycles", (CYCLE, TRIANGLES))]),
        "find_isomorphism": wlkg.find_isomorphism(CYCLE, CYCLE),
        "disjoint_union": wlkg.disjoint_union(CYCLE, TRIANGLES),
        "certify": certificate,
        "verify": wlkg.verify(certificate.document, CYCLE, TRIANGLES),
        "counterexample": counterexample,
        "findings": examine(counterexample),
        "graph": UNIVERSITY,
        "tests": (wlkg.TESTS, wlkg.TUPLE_TESTS),
    }


def within(value: Any, seen: set[int]) -> Iterator[Any]:
    """The objects of this project in a result: the fields of dataclasses, items, and so on."""
    if id(value) in seen:
        return
    seen.add(id(value))
    # Modules of PyTorch show their layers, one in a line.
    if type(value).__module__.startswith("wlkg.") and not hasattr(value, "named_parameters"):
        yield value
    if is_dataclass(value):
        names = [name for name in value.__dataclass_fields__ if not name.startswith("_")]
        inside = [getattr(value, name) for name in names]
    elif isinstance(value, Mapping):
        inside = list(value.values())
    elif isinstance(value, tuple | list):
        inside = list(value)
    else:
        inside = []
    for each in inside:
        yield from within(each, seen)


def too_long(value: Any) -> dict[str, int]:
    """The classes, with the length, of what does not fit two lines or does not say what it is."""
    wrong: dict[str, int] = {}
    for each in within(value, set()):
        text = repr(each)
        nothing = is_dataclass(each) and " object at 0x" in text
        if len(text) > LONGEST or text.count("\n") > 1 or nothing:
            kind = f"{type(each).__module__}.{type(each).__name__}"
            wrong[kind] = max(wrong.get(kind, 0), len(text))
    return wrong


def test_results_fit_two_lines() -> None:
    wrong: dict[str, int] = {}
    for result in results().values():
        wrong |= too_long(result)
    assert wrong == {}


def own_model(x: Any, edge_index: Any, edge_type: Any) -> Any:  # noqa: ARG001
    return x


def test_results_of_models_fit_two_lines(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    train, test = targets()
    saved = str(tmp_path / "model.pt")
    labels = {str(number): str(number % 2) for number in range(1, 5)}
    wrong: dict[str, int] = {}
    for result in (
        wlkg.train(UNIVERSITY, train, test, epochs=2, save=saved),
        wlkg.predict(f"{saved}/seed-0.pt", UNIVERSITY),
        wlkg.versus(UNIVERSITY, draws=1),
        wlkg.pair_model(draws=1),
        wlkg.witness(CYCLE),
        wlkg.versus(UNIVERSITY, own_model, layers=1),
        wlkg.train_graphs([CYCLE, TRIANGLES] * 2, labels, epochs=2),
    ):
        wrong |= too_long(result)
    assert wrong == {}


@dataclass(frozen=True)
class Part(Brief):
    text: str
    numbers: tuple[int, ...]
    share: float
    more: Any = None


@dataclass(frozen=True)
class Own(Part):
    def __repr__(self) -> str:
        return "mine"


@dataclass(frozen=True)
class Heir(Own):
    extra: int = 0


def test_short_fields_are_shown_and_long_ones_counted() -> None:
    assert repr(Part("a", (1, 2), 0.5)) == "Part(text='a', numbers=(1, 2), share=0.5, more=None)"
    long = Part("x" * 99, tuple(range(1234)), 1 / 3, {"a": 1})
    assert repr(long) == (
        f"Part(text='{'x' * 40}…', numbers=(1,234 items), share=0.333333, more=[1 item])"
    )
    assert repr(Part("\x1b[2J", (), 0.0, Own("a", (), 0.0))) == (
        r"Part(text='\\x1b[2J', numbers=(), share=0, more=mine)"
    )


def test_a_representation_of_its_own_is_kept_and_inherited() -> None:
    assert repr(Heir("a", (), 0.0)) == "mine"
