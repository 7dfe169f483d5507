"""RelationalGraph: a multi-relational graph as an immutable value of arrays and names.

G = (V, R_1, ..., R_r, l): ``head``, ``relation`` and ``tail`` hold the triples, sorted and
distinct; ``labels`` is l, or None if all vertices have the same label. A graph is checked once,
when it is built. It takes 12 bytes per triple plus the names; the arcs of a direction mode are
built on first use and kept (another 16 bytes per triple for ``both``).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from wlkg.arrays import IntArray, frozen, id_dtype, sorted_distinct
from wlkg.catalogue import Direction, check_direction
from wlkg.errors import GraphError
from wlkg.graph.arcs import Arcs, build_arcs
from wlkg.graph.names import canonical_order
from wlkg.graph.validation import check_relation_names, checked_ids, checked_names, triple_rows
from wlkg.text import counted, first_few

if TYPE_CHECKING:
    import networkx
    import pyarrow
    import rdflib


@dataclass(frozen=True, eq=False, repr=False)
class RelationalGraph:
    """Build it with ``wlkg.read`` or a ``from_...`` method: the constructor checks nothing."""

    head: IntArray
    relation: IntArray
    tail: IntArray
    vertex_names: Sequence[str]
    relation_names: tuple[str, ...]
    labels: IntArray | None = None
    label_names: tuple[str, ...] = ()
    #: How triples become arcs.
    direction: Direction = "both"
    #: The number of repeated triples that were dropped (relations are sets).
    duplicates: int = 0
    #: What the reader of a file wants its user to know.
    notes: tuple[str, ...] = ()
    #: The prefixes that an RDF file declares, for reading and shortening names; not compared.
    prefixes: Mapping[str, str] = field(default_factory=dict)
    #: How literals became vertices; None if the input was not RDF. Not compared.
    literals: str | None = None
    #: What reports call the graph: the file that it was read from, for example. Not compared.
    name: str = ""
    _arcs: dict[Direction, Arcs] = field(default_factory=dict, init=False)

    # -- building ---------------------------------------------------------------------------------

    @classmethod
    def from_arrays(
        cls,
        head: npt.ArrayLike,
        relation: npt.ArrayLike,
        tail: npt.ArrayLike,
        *,
        num_vertices: int | None = None,
        vertex_names: Sequence[str] | None = None,
        relation_names: Sequence[str] | None = None,
        labels: npt.ArrayLike | None = None,
        label_names: Sequence[str] | None = None,
        direction: Direction = "both",
        notes: Iterable[str] = (),
        prefixes: Mapping[str, str] | None = None,
        literals: str | None = None,
    ) -> RelationalGraph:
        """A graph on the vertices 0 .. num_vertices - 1, from ids; names default to the ids."""
        columns = [
            checked_ids(column, what)
            for column, what in ((head, "head"), (relation, "relation"), (tail, "tail"))
        ]
        if len({len(column) for column in columns}) != 1:
            raise GraphError(
                "head, relation and tail must have the same length, found "
                + ", ".join(str(len(column)) for column in columns)
            )
        vertices = checked_names(vertex_names, num_vertices, (columns[0], columns[2]), "vertex")
        relations = tuple(checked_names(relation_names, None, (columns[1],), "relation"))
        check_relation_names(relations)
        sizes = (len(vertices), len(relations), len(vertices))
        rows = [frozen(row) for row in sorted_distinct(columns, sizes)]
        graph = cls(
            head=rows[0],
            relation=rows[1],
            tail=rows[2],
            vertex_names=vertices,
            relation_names=relations,
            direction=check_direction(direction),
            duplicates=len(columns[0]) - len(rows[0]),
            notes=tuple(notes),
            prefixes=dict(prefixes or {}),
            literals=literals,
        )
        return graph if labels is None else graph.with_label_ids(labels, label_names)

    @classmethod
    def from_triples(
        cls,
        triples: Iterable[tuple[Hashable, Hashable, Hashable]],
        *,
        vertices: Iterable[Hashable] = (),
        direction: Direction = "both",
    ) -> RelationalGraph:
        """A graph from (head, relation, tail) names; ``vertices`` adds isolated vertices.

        >>> RelationalGraph.from_triples([("ann", "knows", "bob"), ("bob", "knows", "ann")])
        RelationalGraph(2 vertices, 2 triples, 1 relation)
        """
        rows = [(str(h), str(r), str(t)) for h, r, t in triple_rows(triples)]
        vertex_names = canonical_order(
            [name for h, _, t in rows for name in (h, t)] + [str(v) for v in vertices]
        )
        relation_names = canonical_order(r for _, r, _ in rows)
        vertex = {name: i for i, name in enumerate(vertex_names)}
        relation = {name: i for i, name in enumerate(relation_names)}
        return cls.from_arrays(
            np.array([vertex[h] for h, _, _ in rows], dtype=np.int64),
            np.array([relation[r] for _, r, _ in rows], dtype=np.int64),
            np.array([vertex[t] for _, _, t in rows], dtype=np.int64),
            vertex_names=vertex_names,
            relation_names=relation_names,
            direction=direction,
        )

    @classmethod
    def from_networkx(
        cls,
        graph: networkx.Graph[Any],
        *,
        relation_attribute: str | None = None,
        label_attribute: str | None = None,
    ) -> RelationalGraph:
        """A graph from any networkx graph; see `wlkg.graph.interop.networkx`."""
        from wlkg.graph.interop.networkx import networkx_arrays

        return cls.from_arrays(**networkx_arrays(graph, relation_attribute, label_attribute))

    @classmethod
    def from_rdflib(cls, graph: rdflib.Graph, *, literals: str = "shared") -> RelationalGraph:
        """A graph from the triples of an rdflib graph; see `wlkg.graph.interop.rdflib`."""
        from wlkg.graph.interop.rdflib import rdflib_triples

        prefixes = {prefix: str(iri) for prefix, iri in graph.namespaces()}
        triples = rdflib_triples(graph, literals)
        return cls.from_triples(triples)._derived(prefixes=prefixes, literals=literals)

    @classmethod
    def from_pyg(cls, data: Any) -> RelationalGraph:
        """A graph from a PyG ``Data`` or ``HeteroData``; see `wlkg.graph.interop.pyg`."""
        from wlkg.graph.interop.pyg import pyg_arrays

        return cls.from_arrays(**pyg_arrays(data))

    @classmethod
    def from_pandas(
        cls,
        frame: Any,
        *,
        head: Hashable | None = None,
        relation: Hashable | None = None,
        tail: Hashable | None = None,
        vertices: Iterable[Hashable] = (),
        direction: Direction = "both",
    ) -> RelationalGraph:
        """A graph from a data frame with one triple per row: of pandas, polars, pyarrow, ...

        ``head``, ``relation`` and ``tail`` are titles of columns; by default the common titles are
        recognised, or the first three columns are used. See `wlkg.graph.interop.frames`.
        """
        from wlkg.graph.interop.frames import frame_arrays

        arrays = frame_arrays(frame, (head, relation, tail), vertices)
        return cls.from_arrays(**arrays, direction=direction)

    @classmethod
    def from_pykeen(cls, factory: Any) -> RelationalGraph:
        """A graph from a PyKEEN ``TriplesFactory``; see `wlkg.graph.interop.pykeen`."""
        from wlkg.graph.interop.pykeen import pykeen_arrays

        return cls.from_arrays(**pykeen_arrays(factory))

    # -- converting -------------------------------------------------------------------------------

    def to_networkx(self) -> networkx.MultiDiGraph[str] | networkx.MultiGraph[str]:
        """A networkx multigraph with the edge attribute ``relation``."""
        from wlkg.graph.interop.networkx import to_networkx

        return to_networkx(self)

    def to_rdflib(self) -> rdflib.Graph:
        """An rdflib graph; names that are not RDF terms become IRIs (see `wlkg.graph.terms`).

        RDF has no undirected edges, isolated vertices or labels: undirected edges become triples in
        both directions, the rest is left out.
        """
        from wlkg.graph.interop.rdflib import to_rdflib

        return to_rdflib(self.both_ways() if self.direction == "undirected" else self)

    def to_pyg(self, direction: Direction | None = None) -> Any:
        """A PyG ``Data`` with one edge per triple or, if a direction is given, one per arc."""
        from wlkg.graph.interop.pyg import to_pyg

        return to_pyg(self, direction)

    def to_arrow(self) -> pyarrow.Table:
        """A table with the columns head, relation and tail, which polars and others accept.

        As in `to_pandas`, there is one row per triple, so vertices without a triple and labels are
        left out.
        """
        from wlkg.graph.interop.frames import to_arrow

        return to_arrow(self)

    def to_pandas(self) -> Any:
        """A pandas data frame with the columns head, relation and tail."""
        from wlkg.graph.interop.frames import to_pandas

        return to_pandas(self)

    def to_pykeen(self) -> Any:
        """A PyKEEN ``TriplesFactory`` with the ids of this graph, if PyKEEN is installed."""
        from wlkg.graph.interop.pykeen import to_pykeen

        return to_pykeen(self)

    # -- inspecting -------------------------------------------------------------------------------

    @property
    def num_vertices(self) -> int:
        return len(self.vertex_names)

    @property
    def num_triples(self) -> int:
        return len(self.head)

    @property
    def num_relations(self) -> int:
        return len(self.relation_names)

    @property
    def counts(self) -> str:
        """The numbers of vertices, triples and relations, as text."""
        return ", ".join(
            [
                counted(self.num_vertices, "vertex", "vertices"),
                counted(self.num_triples, "triple", "triples"),
                counted(self.num_relations, "relation", "relations"),
            ]
        )

    @property
    def num_self_loops(self) -> int:
        return int(np.count_nonzero(self.head == self.tail))

    def named_triples(self) -> Iterable[tuple[str, str, str]]:
        """The triples as names, in id order."""
        vertices, relations = self.vertex_names, self.relation_names
        for h, r, t in zip(*(column.tolist() for column in self._columns()), strict=True):
            yield vertices[h], relations[r], vertices[t]

    def _columns(self) -> tuple[IntArray, IntArray, IntArray]:
        return self.head, self.relation, self.tail

    @cached_property
    def isolated(self) -> IntArray:
        """The vertices without a triple."""
        seen = np.zeros(self.num_vertices, dtype=bool)
        seen[self.head] = True
        seen[self.tail] = True
        return np.flatnonzero(~seen)

    @cached_property
    def _vertex_ids(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.vertex_names)}

    def vertex(self, name: str) -> int:
        """The id of the vertex with this name; an IRI may be given in angle brackets."""
        vertex = self.find_vertex(name)
        if vertex is None:
            raise GraphError(f"no vertex is called {name!r}")
        return vertex

    def find_vertex(self, name: str) -> int | None:
        """As `vertex`, but None if there is no such vertex."""
        vertex = self._vertex_ids.get(name)
        if vertex is None and name.startswith("<") and name.endswith(">"):
            return self._vertex_ids.get(name[1:-1])
        return vertex

    def arcs(self, direction: Direction | None = None) -> Arcs:
        """The arcs under a direction mode (by default the graph's own), built once and kept."""
        mode = check_direction(self.direction if direction is None else direction)
        if mode not in self._arcs:
            self._arcs[mode] = build_arcs(
                self._columns(),
                num_vertices=self.num_vertices,
                relation_names=self.relation_names,
                direction=mode,
            )
        return self._arcs[mode]

    # -- deriving ---------------------------------------------------------------------------------

    def with_direction(self, direction: Direction | None) -> RelationalGraph:
        """The same graph in another direction mode; None keeps its own."""
        if direction is None or direction == self.direction:
            return self
        return self._derived(direction=check_direction(direction))

    def with_name(self, name: str) -> RelationalGraph:
        """The same graph, which reports call by this name."""
        return self._derived(name=name)

    def _derived(self, **changes: Any) -> RelationalGraph:
        """The same triples with other attributes; arcs depend on triples only and are shared."""
        graph = replace(self, **changes)
        object.__setattr__(graph, "_arcs", self._arcs)
        return graph

    def with_label_ids(
        self, labels: npt.ArrayLike, label_names: Sequence[str] | None = None
    ) -> RelationalGraph:
        """The same graph with label ``labels[v]`` at vertex v; names default to the numbers."""
        ids = checked_ids(labels, "labels")
        if len(ids) != self.num_vertices:
            raise GraphError(f"{len(ids)} labels for {self.num_vertices} vertices")
        names = tuple(checked_names(label_names, None, (ids,), "label"))
        return self._derived(labels=frozen(ids.astype(id_dtype(len(names)))), label_names=names)

    def with_labels(self, labels: Mapping[str, str] | Sequence[str]) -> RelationalGraph:
        """The same graph with one label name per vertex: by vertex name, or in id order."""
        if isinstance(labels, Mapping):
            missing = [name for name in self.vertex_names if name not in labels]
            if missing:
                count = counted(len(missing), "vertex has", "vertices have")
                raise GraphError(f"{count} no label: {first_few(missing)}")
            labels = [labels[name] for name in self.vertex_names]
        label_names = canonical_order(labels)
        index = {name: i for i, name in enumerate(label_names)}
        return self.with_label_ids([index[label] for label in labels], label_names)

    def with_relations(self, names: Sequence[str]) -> RelationalGraph:
        """The same vertices with exactly these relations; triples of others are left out."""
        if tuple(names) == self.relation_names:
            return self
        number = {name: i for i, name in enumerate(names)}
        place = np.array([number.get(name, -1) for name in self.relation_names], dtype=np.int64)
        relation = place[self.relation]
        kept = relation >= 0
        return RelationalGraph.from_arrays(
            self.head[kept],
            relation[kept],
            self.tail[kept],
            vertex_names=self.vertex_names,
            relation_names=names,
            labels=self.labels,
            label_names=None if self.labels is None else self.label_names,
            direction=self.direction,
            notes=self.notes,
            prefixes=self.prefixes,
            literals=self.literals,
        )

    def both_ways(self) -> RelationalGraph:
        """Every triple in both directions, for formats and tools without undirected edges.

        Under mode ``both`` the result has the same colourings as this graph under ``undirected``.
        """
        return RelationalGraph.from_arrays(
            np.concatenate([self.head, self.tail]),
            np.concatenate([self.relation, self.relation]),
            np.concatenate([self.tail, self.head]),
            vertex_names=self.vertex_names,
            relation_names=self.relation_names,
            labels=self.labels,
            label_names=None if self.labels is None else self.label_names,
            prefixes=self.prefixes,
            literals=self.literals,
        )

    def permuted(self, order: npt.ArrayLike) -> RelationalGraph:
        """An isomorphic copy: vertex i is this graph's ``order[i]``, with its name and label."""
        ids = checked_ids(order, "order")
        if not np.array_equal(np.sort(ids), np.arange(self.num_vertices)):
            raise GraphError(f"order is not a permutation of 0 .. {self.num_vertices - 1}")
        return self.induced(ids)

    def induced(self, vertices: npt.ArrayLike) -> RelationalGraph:
        """The induced subgraph: its vertex i is this graph's vertex ``vertices[i]``."""
        ids = checked_ids(vertices, "vertices")
        if len(ids) and (ids.min() < 0 or ids.max() >= self.num_vertices):
            raise GraphError(f"vertices must lie in 0 .. {self.num_vertices - 1}")
        place = np.full(self.num_vertices, -1, dtype=np.int64)
        place[ids] = np.arange(len(ids))
        head, tail = place[self.head], place[self.tail]
        kept = (head >= 0) & (tail >= 0)
        return RelationalGraph.from_arrays(
            head[kept],
            self.relation[kept],
            tail[kept],
            vertex_names=[self.vertex_names[i] for i in ids.tolist()],
            relation_names=self.relation_names,
            labels=None if self.labels is None else self.labels[ids],
            label_names=self.label_names,
            direction=self.direction,
            prefixes=self.prefixes,
            literals=self.literals,
        )

    # -- comparing --------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        """Equal ids, names, triples, labels and direction mode; isomorphism is another question."""
        if not isinstance(other, RelationalGraph):
            return NotImplemented
        return (
            self.direction == other.direction
            and self.relation_names == other.relation_names
            and self.label_names == other.label_names
            and all(map(np.array_equal, self._columns(), other._columns()))
            and (self.labels is None) == (other.labels is None)
            and (self.labels is None or np.array_equal(self.labels, np.asarray(other.labels)))
            and len(self.vertex_names) == len(other.vertex_names)
            and all(map(str.__eq__, self.vertex_names, other.vertex_names))
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"RelationalGraph({self.counts})"
