"""The data set of a study: its files are found, identified by their content, and read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from wlkg.errors import InputError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.progress import SILENT, Progress
from wlkg.readers.read import read
from wlkg.readers.targets import Targets, read_targets
from wlkg.studies.paper_data import COLLECTION, find_paper_study
from wlkg.studies.study import DataFiles

_BLOCK = 1 << 20


@dataclass(frozen=True, eq=False)
class Dataset:
    """A graph with targets."""

    graph: RelationalGraph
    targets: Targets
    holdout: Targets | None

    @property
    def num_classes(self) -> int:
        parts = (self.targets,) if self.holdout is None else (self.targets, self.holdout)
        return len({label for part in parts for label in part.labels})


def paper_files(name: str, folder: str) -> DataFiles:
    """The files of a data set of the collection, in a folder or in its subfolder ``name``."""
    paper = find_paper_study(name)
    places = (Path(folder), Path(folder) / name)
    wanted = (paper.graphs, (paper.targets,), (paper.holdout,))
    paths = [_first(places, names) for names in wanted]
    missing = [
        " or ".join(names[:1] if len(names) == 1 else (names[1], f"{len(names) - 1} other names"))
        for names, path in zip(wanted, paths, strict=True)
        if path is None
    ]
    if missing:
        raise InputError(
            f"there is no {', no '.join(missing)}, neither here nor in the subfolder {name}",
            path=folder,
            remedy=f"The files are part of {COLLECTION}. wlkg fetch-data {name} fetches them; "
            "give their folder with --data",
        )
    graph, targets, holdout = (str(path) for path in paths)
    return DataFiles(
        graph=graph,
        targets=targets,
        holdout=holdout,
        literals="shared",
        direction="both",
        entity_column=paper.entity_column,
        label_column=paper.label_column,
        without=paper.label_relations,
    )


def _first(places: Iterable[Path], names: Iterable[str]) -> Path | None:
    paths = (place / name for name in names for place in places)
    return next((path for path in paths if path.is_file()), None)


def check_files(files: DataFiles) -> None:
    """Refuse files that do not exist, all of them at once."""
    named = {"graph": files.graph, "targets": files.targets, "holdout": files.holdout}
    missing = [
        f"{role} ({path})"
        for role, path in named.items()
        if path is not None and not path.startswith("example:") and not _path(path).exists()
    ]
    if missing:
        raise InputError(
            f"missing files: {', '.join(missing)}",
            remedy="Paths in a study are relative to its file, or to --data",
        )


def _path(text: str) -> Path:
    """The path of a graph; ``FILE#3`` is a graph of FILE."""
    path = Path(text)
    return path if path.exists() else Path(text.partition("#")[0])


def data_digest(files: DataFiles) -> str:
    """A digest of the contents of the files and of how they are read, not of their names."""
    digest = hashlib.sha256()
    how = asdict(files)
    for role in ("graph", "targets", "holdout"):
        path = how.pop(role)
        digest.update(f"{role}\0".encode())
        for block in () if path is None else _content(path):
            digest.update(block)
    digest.update(json.dumps(how, sort_keys=True).encode())
    return digest.hexdigest()[:16]


def _content(text: str) -> Iterator[bytes]:
    path = _path(text)
    if not path.exists() or "#" in text:
        yield text.rpartition("/")[2].encode()
    if path.is_dir():
        for inner in sorted(each for each in path.rglob("*") if each.is_file()):
            yield inner.name.encode()
            yield from _blocks(inner)
    elif path.exists():
        yield from _blocks(path)


def _blocks(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as stream:
            while block := stream.read(_BLOCK):
                yield block
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", path=path) from error


def load_dataset(files: DataFiles, progress: Progress = SILENT) -> Dataset:
    """Read the graph without the relations that hold the labels, and the targets."""
    options = {} if files.literals is None else {"literals": files.literals}
    graph = read(files.graph, direction=files.direction, progress=progress, **options)
    graph = without_relations(graph, files.without)
    columns = {"entity_column": files.entity_column, "label_column": files.label_column}
    return Dataset(
        graph=graph,
        targets=read_targets(graph, files.targets, **columns),
        holdout=None if files.holdout is None else read_targets(graph, files.holdout, **columns),
    )


def without_relations(graph: RelationalGraph, names: Iterable[str]) -> RelationalGraph:
    """The graph without some relations, and without the vertices that only they reach."""
    unwanted = {name for name in names if name in graph.relation_names}
    if not unwanted:
        return graph
    kept = [i for i, name in enumerate(graph.relation_names) if name not in unwanted]
    number = np.full(graph.num_relations, -1, dtype=np.int64)
    number[kept] = np.arange(len(kept))
    rows = number[graph.relation] >= 0
    rest = RelationalGraph.from_arrays(
        graph.head[rows],
        number[graph.relation[rows]],
        graph.tail[rows],
        vertex_names=graph.vertex_names,
        relation_names=[graph.relation_names[i] for i in kept],
        direction=graph.direction,
        notes=graph.notes,
    )
    lost = np.setdiff1d(rest.isolated, graph.isolated)
    return rest.induced(np.setdiff1d(np.arange(graph.num_vertices), lost))
