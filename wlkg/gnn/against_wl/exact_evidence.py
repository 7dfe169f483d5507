"""Whether features that are close in floating point are equal: exact arithmetic on those in doubt.

Close is not equal: on a complete graph the features of all vertices approach each other from layer
to layer, until rounding hides differences that are still there. So two items of different colours
count as merged only if their features are equal in exact arithmetic, and as different if they
differ there, however little. One item per colour is evaluated (see `unfolding`), and only in
clusters that contain several colours; above a limit of work the layer stays undecided.

Floating point has its say before: what it separates clearly is never evaluated again, and an exact
evaluation that does not agree with the model's own features proves nothing about the model.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from wlkg.arrays import FloatArray, IntArray
from wlkg.gnn.against_wl.clusters import CLEAR, Clusters, deviation
from wlkg.gnn.against_wl.exact_layers import UnknownFormulaError, exact_layers
from wlkg.gnn.against_wl.exact_table import Budget, TooMuchWorkError
from wlkg.gnn.against_wl.pair_runs import start_rows
from wlkg.gnn.against_wl.setting import Setting
from wlkg.gnn.against_wl.unfolding import Items, unfold
from wlkg.gnn.against_wl.verdicts import Pair, Settled
from wlkg.gnn.models.conditional_model import ConditionalModel
from wlkg.gnn.models.plan import seen_arcs
from wlkg.gnn.models.tuple_input import TupleInput
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import History, Partition
from wlkg.refinement.refine import refine

#: The work that a layer may cost, about a second; and that a single pair may cost.
_WORK, _WORK_FOR_PAIR = 10_000_000, 500_000
#: A few items are evaluated together at once; of many, some pairs are tried first.
_FEW, _PAIRS = 64, 6
#: Exact features are those of the model if they agree with its own at least this well.
_AGREES = 2.0**-30


class ExactEvidence:
    """Settles what floating point leaves open about a model of our own, by exact arithmetic."""

    def __init__(
        self,
        model: VertexModel | TupleModel | ConditionalModel,
        setting: Setting,
        tuples: TupleInput | None,
        history: History,
        later: int,
    ) -> None:
        """Layer t has the colours of round t + later."""
        self._model, self._setting, self._tuples = model, setting, tuples
        self._history, self._later = history, later
        #: The model's own features after the layer that is judged next.
        self.rows: FloatArray = np.empty((0, 0))
        config = model.config
        arcs = seen_arcs(setting.arcs, config)
        seen = None
        if config.normalised:
            seen = _multiplicities(arcs.neighbour.astype(np.int64), arcs.relation)
        # A pair (u, v) sees what v sees, for the same u: vertices of copies of the graph do so.
        k = config.k if isinstance(model, TupleModel) else 1
        self._items = Items(arcs, k, seen)
        self._known_equal: History | None = None
        # At the least, each row is multiplied by the matrix of a layer.
        self._work = [layer.get_parameter("root").numel() for layer in model.layers]

    def __call__(self, layer: int, clusters: Clusters, colours: Partition) -> Settled:
        """Which items of different colours are merged, and which are proven different."""
        surely = clusters.surely
        suspects = _suspects(surely, colours)
        if not len(suspects):
            return Settled(merged=None, different=surely)
        merged = self._equal_messages(layer, colours)
        if merged is None and len(suspects) > _FEW:
            merged = self._first_equal_pair(layer, clusters, suspects, colours)
        if merged is not None:
            return Settled(merged, surely, exact=True)
        keys = self._keys(layer, suspects, clusters.noise, Budget(_WORK))
        if keys is None:
            return Settled(merged=None, different=surely)
        exact = Partition.of(_numbered(keys))
        # Items that are not in doubt keep their class.
        kind = surely.meet(colours).colours
        place = np.zeros(int(kind.max()) + 1, dtype=np.int64)
        place[kind[suspects]] = 1 + exact.colours
        different = surely.meet(Partition.of(place[kind]))
        return Settled(_first_equal(suspects, exact), different, exact=True)

    def _first_equal_pair(
        self, layer: int, clusters: Clusters, suspects: IntArray, colours: Partition
    ) -> Pair | None:
        """Two items with equal features, among the pairs that are cheapest to evaluate."""
        cost = self._items.num_messages(suspects)
        suspects = suspects[np.argsort(cost, kind="stable")]
        pairs = _first_pairs(suspects, clusters.possibly, colours)
        for pair in pairs[:_PAIRS]:
            keys = self._keys(layer, pair, clusters.noise, Budget(_WORK_FOR_PAIR))
            if keys is not None and keys[0] == keys[1]:
                return int(pair.min()), int(pair.max())
        return None

    def _keys(
        self, layer: int, items: IntArray, noise: float, budget: Budget
    ) -> list[object] | None:
        """For each item a key; features are equal exactly if keys are. None if it is unknown."""
        try:
            unfolding = unfold(self._items, {layer: items}, self._classes, budget, self._work)
            start = self._start(unfolding.start)
            table = exact_layers(self._model, start, unfolding, budget)[-1]
            exact = table.floats()
        except (TooMuchWorkError, UnknownFormulaError, OverflowError):
            return None
        rows = unfolding.rows[layer]
        if not deviation(exact[rows], self.rows[items]) <= max(CLEAR * noise, _AGREES):
            return None
        keys = table.keys()
        return [keys[row] for row in rows.tolist()]

    def _classes(self, items: IntArray, layer: int) -> IntArray:
        return self._history.class_at(items, layer + self._later if layer else 0)

    def _start(self, items: IntArray) -> torch.Tensor:
        if isinstance(self._model, ConditionalModel):
            return start_rows(self._model, self._setting, items)
        if isinstance(self._model, TupleModel):
            graph = self._tuples or self._setting.tuples(self._model.config.k)
            types = graph.types.reshape(-1)[torch.from_numpy(items)]
            return self._model.types.weight.cpu()[types]
        if self._model.start is not None:
            return self._model.start.cpu().expand(len(items), -1)
        return self._setting.features.of(items).to(self._setting.dtype)

    def _equal_messages(self, layer: int, colours: Partition) -> Pair | None:
        """Two items of different colours that see equal messages in all layers.

        Only where messages are divided by square roots of degrees, which the colours of the next
        round tell apart more finely than the features do.
        """
        if not self._model.config.normalised:
            return None
        if self._known_equal is None:
            self._known_equal = _refined_by_weights(self._setting, self._items)
        return self._known_equal.partition(layer).first_pair_split_by(colours)


def _suspects(surely: Partition, colours: Partition) -> IntArray:
    """An item for each colour in each class of ``surely`` that has items of several colours."""
    both = surely.meet(colours)
    first = np.unique(both.colours, return_index=True)[1]
    kinds = np.bincount(surely.colours[first])
    return first[kinds[surely.colours[first]] > 1].astype(np.int64)


def _first_pairs(items: IntArray, near: Partition, colours: Partition) -> IntArray:
    """The first two items of each class of ``near``, where their colours differ.

    The classes come in the order of their first items.
    """
    of_item = Partition.of(near.colours[items]).colours
    order = np.argsort(of_item, kind="stable")
    start = np.flatnonzero(np.diff(of_item[order], prepend=-1))
    start = start[np.diff(np.r_[start, len(order)]) > 1]
    one, two = items[order[start]], items[order[start + 1]]
    pairs: IntArray = np.stack([one, two], axis=1)[colours.colours[one] != colours.colours[two]]
    return pairs


def _numbered(keys: Sequence[object]) -> list[int]:
    numbers: dict[object, int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]


def _first_equal(items: IntArray, classes: Partition) -> Pair | None:
    pair = classes.first_pair_split_by(Partition.of(np.arange(len(items))))
    if pair is None:
        return None
    one, two = sorted(int(items[place]) for place in pair)
    return one, two


def _multiplicities(vertex: IntArray, relation: IntArray) -> IntArray:
    """For each arc, how often its vertex and relation occur."""
    keys = vertex * (int(relation.max(initial=0)) + 1) + relation
    _, position, counts = np.unique(keys, return_inverse=True, return_counts=True)
    numbers: IntArray = counts[position.reshape(-1)]
    return numbers


def _refined_by_weights(setting: Setting, items: Items) -> History:
    """Colours by the relations and the weights of arcs: layers see nothing else."""
    arcs, seen = items.arcs, items.seen
    assert seen is not None
    product = _multiplicities(arcs.source, arcs.relation) * seen
    _, weight = np.unique(product, return_inverse=True)
    pairs = arcs.relation.astype(np.int64) * (len(arcs) + 1) + weight.reshape(-1)
    _, kind = np.unique(pairs, return_inverse=True)
    graph = RelationalGraph.from_arrays(
        arcs.source,
        kind.reshape(-1),
        arcs.neighbour,
        num_vertices=arcs.num_vertices,
        direction="out",
    ).with_label_ids(setting.features.start.colours)
    return refine(graph, "1-rwl", max_memory=setting.max_memory).vertices
