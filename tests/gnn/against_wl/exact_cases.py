"""Random models on small graphs against the truth in exact arithmetic: how often `versus` is right.

Run thousands of cases, and see how many verdicts are right, undecided and wrong:

    python -m tests.gnn.against_wl.exact_cases --cases 2000 --seed 0
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from tests.gnn.against_wl.exact_oracle import true_relations
from wlkg.catalogue import Direction
from wlkg.gnn.against_wl.judging import Versus, judge, model_run
from wlkg.gnn.against_wl.setting import Setting, make_setting
from wlkg.gnn.api import versus
from wlkg.gnn.bounds import bound_of
from wlkg.gnn.compositions import COMPOSITIONS
from wlkg.gnn.config import CLASSIFIERS, ModelChoice
from wlkg.gnn.models.conditional_model import ConditionalModel
from wlkg.gnn.models.parameters import seeded
from wlkg.gnn.models.plan import Plan
from wlkg.gnn.models.step import Step
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.gnn.switches import applying
from wlkg.graph.relational_graph import RelationalGraph

#: Pairs of what `versus` says about a layer and what is true, and how often they occurred.
Outcomes = Counter[tuple[str, str]]
M = TypeVar("M", bound=nn.Module)


@dataclass(frozen=True)
class Case:
    """A graph and a model."""

    graph: RelationalGraph
    choice: ModelChoice
    seed: int


def outcomes(case: Case, dtype: str = "float64") -> Outcomes:
    """For each layer what `versus` says and what is true."""
    setting = make_setting(case.graph, width=case.choice.width, device="cpu", dtype=dtype)
    model = built(setting, case.choice, case.seed)
    bound = bound_of(model.config, setting.graph.direction)
    runs = [("", model_run(setting, model))]
    layers = judge(setting, bound, model.config.layers, runs).layers
    truth = true_relations(setting, model)
    return Counter((layer.relation, true) for layer, true in zip(layers, truth, strict=True))


class Wrapped(nn.Module):
    """A model of ours as a user would bring it along."""

    def __init__(self, model: VertexModel) -> None:
        super().__init__()
        self.model = model

    def forward(self, x: Tensor, edge_index: Tensor, edge_type: Tensor) -> list[Tensor]:
        """The features of every layer."""
        step = Step.whole(edge_index, edge_type, len(x))
        plan = Plan((step,) * self.model.config.layers, np.arange(len(x)), step.own)
        return self.model.features(x, plan)


def own_outcomes(case: Case) -> Outcomes:
    """The same for the model as a user's own, about which nothing is known but its numbers."""
    setting = make_setting(case.graph, width=case.choice.width, device="cpu")
    model = built(setting, case.choice, case.seed)
    config = model.config
    if (
        not isinstance(model, VertexModel)
        or config.aggregation == "mean"
        or not config.sees_relations
    ):
        return Counter()
    if config.normalised:
        return Counter()
    test = bound_of(config, setting.graph.direction).test
    truth = true_relations(setting, model)
    result = versus(case.graph, Wrapped(model), tests=(test,), draws=1, width=case.choice.width)
    layers = result.layers if isinstance(result, Versus) else result.chosen.layers
    return Counter((layer.relation, true) for layer, true in zip(layers, truth, strict=True))


def built(
    setting: Setting, choice: ModelChoice, seed: int
) -> VertexModel | TupleModel | ConditionalModel:
    """The model with random weights, biases included."""
    config = setting.completed(choice)
    model: VertexModel | TupleModel | ConditionalModel
    if config.conditional:
        model = seeded(seed, ConditionalModel, config)
        return with_random_biases(model, seed)
    if config.model == "k-rn":
        types = int(setting.tuples(config.k).types.max()) + 1
        model = seeded(seed, TupleModel, config, types)
    else:
        model = seeded(seed, VertexModel, config)
    return with_random_biases(model, seed)


def with_random_biases(model: M, seed: int) -> M:
    """The model with biases that are not zero."""
    random = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if name.endswith("bias"):
                parameter.copy_(torch.randn(parameter.shape, generator=random))
    return model


def random_case(seed: int) -> Case:
    """A tiny random graph with loops, parallel relations and labels, and a random model."""
    draw = np.random.default_rng(seed)
    model = str(draw.choice(sorted(CLASSIFIERS)))
    composition = str(draw.choice(sorted(COMPOSITIONS)))
    width = int(draw.choice([2, 4])) if composition == "rotate" else int(draw.integers(1, 5))
    k = int(draw.integers(1, 3))
    deep = model != "k-rn" or k == 1
    switches = applying(
        model,
        layers=int(draw.integers(1, 9 if deep else 4)),
        width=width,
        aggregation="mean" if draw.random() < 0.3 else "sum",
        composition=composition,
        bias=bool(draw.random() < 0.3),
        direction=bool(draw.random() < 0.5),
        norm=False,
        relation_update=bool(draw.random() < 0.5),
        k=k,
        update="mlp" if draw.random() < 0.3 else "linear",
    )
    choice = ModelChoice(model, activation="sign" if draw.random() < 0.1 else "relu", **switches)
    labels = composition != "rotate" and draw.random() < 0.4
    graph = random_graph(draw, 7 if deep else 4, labels=bool(labels))
    if model == "compgcn" and draw.random() < 0.4 and graph.num_vertices < 6:
        # Square roots make the truth expensive: few layers.
        layers = min(choice.layers or 1, 3)
        choice = replace(choice, norm=True, aggregation="sum", layers=layers)
    return Case(graph, choice, seed)


def random_pair_case(seed: int) -> Case:
    """A tiny random graph and a random C-MPNN whose formula has an exact counterpart."""
    draw = np.random.default_rng(seed)
    composition = str(draw.choice(sorted(COMPOSITIONS)))
    choice = ModelChoice(
        "c-mpnn",
        layers=int(draw.integers(1, 6)),
        width=2 * int(draw.integers(1, 3)),
        aggregation="mean" if draw.random() < 0.3 else "sum",
        composition=composition,
        bias=bool(draw.random() < 0.5),
        query_message=bool(draw.random() < 0.3),
    )
    return Case(random_graph(draw, 4, labels=bool(draw.random() < 0.4)), choice, seed)


def random_graph(draw: np.random.Generator, most: int, *, labels: bool) -> RelationalGraph:
    """A graph of at most ``most`` vertices, in a random direction mode."""
    n, relations = int(draw.integers(1, most + 1)), int(draw.integers(1, 4))
    arcs = int(draw.integers(0, 3 * n))
    modes: list[Direction] = ["both", "undirected", "out", "in"]
    graph = RelationalGraph.from_arrays(
        draw.integers(0, n, arcs),
        draw.integers(0, relations, arcs),
        draw.integers(0, n, arcs),
        num_vertices=n,
        relation_names=[f"r{i}" for i in range(relations)],
        direction=modes[int(draw.integers(0, 4))],
    )
    return graph.with_label_ids(draw.integers(0, 2, n)) if labels else graph


# -- graphs whose features collapse ---------------------------------------------------------------


def complete(n: int) -> RelationalGraph:
    """A complete graph with one labelled vertex."""
    head, tail = np.triu_indices(n, 1)
    return _marked(
        RelationalGraph.from_arrays(head, 0 * head, tail, num_vertices=n, direction="undirected")
    )


def star(leaves: int) -> RelationalGraph:
    """A star with one labelled leaf."""
    tail = np.arange(1, leaves + 1)[::-1]
    return _marked(
        RelationalGraph.from_arrays(
            0 * tail, 0 * tail, tail, num_vertices=leaves + 1, direction="undirected"
        )
    )


def path(n: int) -> RelationalGraph:
    """A path with a label at one end."""
    head = np.arange(n - 1)
    return _marked(
        RelationalGraph.from_arrays(
            head, 0 * head, head + 1, num_vertices=n, direction="undirected"
        )
    )


def _marked(graph: RelationalGraph) -> RelationalGraph:
    labels = np.zeros(graph.num_vertices, dtype=np.int64)
    labels[-1] = 1
    return graph.with_label_ids(labels)


def main() -> None:
    """Count verdicts, and print the cases with wrong ones."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--dtype", default="float64")
    parser.add_argument("--pairs", action="store_true", help="models of pairs: C-MPNN")
    parser.add_argument("--own", action="store_true", help="as users' own models")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    total: Outcomes = Counter()
    for seed in range(arguments.seed, arguments.seed + arguments.cases):
        case = random_pair_case(seed) if arguments.pairs else random_case(seed)
        here = own_outcomes(case) if arguments.own else outcomes(case, arguments.dtype)
        total += here
        if any(said not in (true, "undecided") for said, true in here):
            print("wrong:", case, dict(here))
    for (said, true), count in sorted(total.items()):
        print(f"said {said:12} true {true:12} {count:,}")
    wrong = sum(count for (said, true), count in total.items() if said not in (true, "undecided"))
    print(f"{sum(total.values()):,} layers, {wrong:,} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
