"""The table of kinds of input: undamaged documents, how they are damaged, and what is called."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import wlkg
from tests.fuzz import containers, seeds, structures
from tests.fuzz.case import Case
from tests.fuzz.command_lines import argument_lists, mutate_arguments, run_arguments, run_command
from tests.fuzz.mutators import BYTES, TOKENS, Mutator
from tests.fuzz.saved_results import page_suffix, result_seeds, write_report
from tests.needs_torch import HAS_TORCH
from wlkg.errors import WlkgError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.formats import FORMATS
from wlkg.writers.formats import WRITERS

_TEXT = (*BYTES, *TOKENS, structures.encode_otherwise)
_LINES = (*_TEXT, *structures.LINES)
_XML = (*_TEXT, *structures.XML)
_JSON = (*_TEXT, *structures.JSON)


@dataclass(frozen=True)
class Kind:
    """How inputs of a kind are made and tried."""

    #: Undamaged inputs.
    seeds: Callable[[], Sequence[Case]]
    mutators: tuple[Mutator, ...]
    #: Called with the case, its file and a folder to write to; refuses by a `WlkgError`.
    run: Callable[[Case, Path, Path], object]
    #: How many of a thousand inputs are of this kind, roughly.
    share: float
    #: Whether the file may be compressed.
    compressible: bool = False
    #: Options for the case, drawn at random.
    options: Callable[[Random], dict[str, Any]] = lambda _: {}


# -- graphs ---------------------------------------------------------------------------------------

_READING: dict[str, list[Any]] = {
    "direction": ["both", "undirected", "out", "in"],
    "literals": ["shared", "occurrence", "drop"],
    "named_graph": ["http://e/g", "a:g", "", "<"],
    "base": ["http://a/", "", "x", "a:b"],
    "columns": [
        "head,relation,tail",
        "tail,head",
        "h,_,r,t",
        "head=a,tail=b",
        "_",
        "",
        "t,h,r,r",
        "head=head",
    ],
    "delimiter": [",", "\t", " ", "", ";", "ab", "é", "\n", '"'],
    "header": [True, False],
    "comment": ["", "#", "a", "é", "//"],
    "splits": ["train", "train,valid,test", "", "x"],
    "relation_attribute": ["relation", "weight", "x", ""],
    "label_attribute": ["label", "kind", "x", ""],
    "max_input": [0, 10, 10_000, 10**30],
}
#: Commands that print names from a graph.
_COMMANDS = [
    ["info", "--json"],
    ["info"],
    ["refine", "--test", "1-rwl", "--json"],
    ["pairs", "--test", "1-wl", "--limit", "5"],
    ["symmetry", "--json"],
]


def _reading(rng: Random) -> dict[str, Any]:
    """Options of `wlkg.read`, and what to do with the graph."""
    chance = rng.random()
    if chance < 0.06:
        return {"command": rng.choice(_COMMANDS)}
    options: dict[str, Any] = {}
    if chance < 0.5:
        names = rng.sample(sorted(_READING), rng.choice((1, 1, 2, 3)))
        options["read"] = {name: rng.choice(_READING[name]) for name in names}
    if chance > 0.9:
        options["write"] = rng.choice(sorted(WRITERS))
    return options


def _read_graph(case: Case, path: Path, folder: Path) -> None:
    if "command" in case.options:
        command, *rest = case.options["command"]
        run_command([command, str(path), *rest])
        return
    graphs = wlkg.read_all(path, **case.options.get("read", {}))
    for graph in graphs[:3]:
        assert len(set(graph.vertex_names)) == graph.num_vertices
    if "write" in case.options:
        _write_and_read(graphs[0], case.options["write"], folder)


def _write_and_read(graph: RelationalGraph, format_name: str, folder: Path) -> None:
    """What is written can be read, and is the same graph unless the format cannot hold it."""
    path = folder / f"out{WRITERS[format_name].suffixes[0]}"
    try:
        losses = wlkg.write(graph, path, lossy=True)
    except WlkgError:
        assert not path.exists()
        raise
    if losses and not graph.num_triples:
        return
    again = wlkg.read(path, direction=None)
    if not losses:
        sizes = (again.num_vertices, again.num_triples)
        assert sizes == (graph.num_vertices, graph.num_triples), f"{graph} became {again}"


def _read_folder(case: Case, path: Path, _: Path) -> None:
    path.unlink()
    path.mkdir()
    for name, data in seeds.unpacked(case.data).items():
        (path / name).write_bytes(data)
    wlkg.read(path, **case.options.get("read", {}))


def _read_corpus(_: Case, path: Path, __: Path) -> None:
    wlkg.read_corpus(path)


def _graph_kind(format_name: str, share: float, mutators: tuple[Mutator, ...]) -> Kind:
    return Kind(
        lambda: seeds.graph_seeds(format_name),
        mutators,
        _read_graph,
        share,
        compressible=True,
        options=_reading,
    )


_BY_FORMAT: dict[str, tuple[float, tuple[Mutator, ...]]] = {
    "ntriples": (60, (*_LINES, *structures.TURTLE)),
    "nquads": (40, (*_LINES, *structures.TURTLE)),
    "turtle": (50, (*_TEXT, *structures.TURTLE)),
    "trig": (25, (*_TEXT, *structures.TURTLE)),
    "n3": (25, (*_TEXT, *structures.TURTLE)),
    "rdfxml": (60, _XML),
    "jsonld": (60, _JSON),
    "tsv": (50, _LINES),
    "csv": (50, _LINES),
    "txt": (30, _LINES),
    "edgelist": (30, _LINES),
    "graph6": (60, _LINES),
    "graphml": (60, _XML),
    "gexf": (60, _XML),
    "json": (60, _JSON),
    "parquet": (20, BYTES),
}
assert set(_BY_FORMAT) == set(FORMATS) - {"folder"}


# -- tables ---------------------------------------------------------------------------------------


def _read_labels(_: Case, path: Path, __: Path) -> None:
    assert wlkg.label(seeds.PEOPLE, path).labels is not None


def _read_targets(case: Case, path: Path, _: Path) -> None:
    from wlkg.readers.targets import read_targets

    assert len(read_targets(seeds.PEOPLE, str(path), **case.options))


def _read_features(_: Case, path: Path, __: Path) -> None:
    from wlkg.gnn.features import make_features

    assert make_features(seeds.PEOPLE, str(path), 4).width


def _read_predictions(_: Case, path: Path, __: Path) -> None:
    from wlkg.readers.predictions import read_predictions

    assert len(read_predictions(seeds.PEOPLE, str(path)))


def _read_among(_: Case, path: Path, __: Path) -> None:
    from wlkg.readers.tables import read_vertices

    assert len(read_vertices(seeds.PEOPLE, str(path))) <= seeds.PEOPLE.num_vertices


def _target_columns(rng: Random) -> dict[str, Any]:
    names = [name for name in ("entity_column", "label_column") if rng.random() < 0.2]
    return {name: rng.choice(seeds.TITLES) for name in names}


_TABLES: dict[str, Callable[[Case, Path, Path], object]] = {
    "labels": _read_labels,
    "targets": _read_targets,
    "predictions": _read_predictions,
    "among": _read_among,
    **({"features": _read_features} if HAS_TORCH else {}),
}


def _table_kind(name: str) -> Kind:
    options = _target_columns if name == "targets" else lambda _: {}
    return Kind(lambda: seeds.table_seeds(name), _LINES, _TABLES[name], 30, True, options)


# -- everything else ------------------------------------------------------------------------------


def _verify(case: Case, path: Path, _: Path) -> None:
    from wlkg.verification.verify import verify

    verify(path, *seeds.certified()[case.options["graphs"]][1])


def _read_trained(_: Case, path: Path, __: Path) -> None:
    from wlkg.analysis.ceiling.trained import read_trained

    read_trained(str(path))


def _load_model(_: Case, path: Path, __: Path) -> None:
    from wlkg.gnn.checkpoints.saved_model import load_model

    saved = load_model(str(path))
    assert saved.build() is not None
    saved.graph_model() if saved.readout else saved.classifier()


def _read_study(_: Case, path: Path, __: Path) -> None:
    from wlkg.studies.toml_study import read_study

    read_study(str(path))


def _read_record(_: Case, path: Path, __: Path) -> None:
    from wlkg.studies.study_file import read_record

    read_record(path.parent)


def _read_run(_: Case, path: Path, __: Path) -> None:
    from tests.studies.toy import RUN
    from wlkg.studies.runs import read_result

    read_result(path.parent, RUN)


def _of_kind(cases: Callable[[], Sequence[Case]], kind: str) -> Callable[[], Sequence[Case]]:
    return lambda: [case for case in cases() if case.kind == kind]


def _with_models() -> dict[str, Kind]:
    return {
        "checkpoint/tensors": Kind(
            lambda: seeds.checkpoint_seeds("checkpoint/tensors"),
            (*BYTES, *containers.TENSORS),
            _load_model,
            40,
        ),
        "checkpoint/archive": Kind(
            lambda: seeds.checkpoint_seeds("checkpoint/archive"),
            (*BYTES, *containers.ARCHIVE),
            _load_model,
            10,
        ),
        "study/toml": Kind(seeds.study_seeds, (*_LINES, *structures.TOML), _read_study, 30),
        "study/record": Kind(_of_kind(seeds.record_seeds, "study/record"), _JSON, _read_record, 15),
        "study/run": Kind(_of_kind(seeds.record_seeds, "study/run"), _JSON, _read_run, 15),
    }


KINDS: dict[str, Kind] = {
    **{f"graph/{name}": _graph_kind(name, *how) for name, how in _BY_FORMAT.items()},
    "graph/folder": Kind(seeds.folder_seeds, _LINES, _read_folder, 20, options=_reading),
    "graph/array": Kind(seeds.array_seeds, BYTES, _read_corpus, 15),
    **{f"table/{name}": _table_kind(name) for name in _TABLES},
    "certificate": Kind(
        seeds.certificate_seeds, (*_JSON, *containers.CERTIFICATE), _verify, 40, True
    ),
    "result/trained": Kind(seeds.trained_seeds, _JSON, _read_trained, 15, True),
    "result/report": Kind(result_seeds, _JSON, write_report, 25, options=page_suffix),
    "arguments": Kind(argument_lists, (mutate_arguments,), run_arguments, 25),
    **(_with_models() if HAS_TORCH else {}),
}


@cache
def seeds_of(kind: str) -> tuple[Case, ...]:
    """The undamaged inputs of a kind."""
    return tuple(KINDS[kind].seeds())


def is_json_list(data: bytes) -> bool:
    """Whether data is a list in JSON, as the arguments of a command line are."""
    try:
        return isinstance(json.loads(data), list)
    except (ValueError, RecursionError):
        return False
