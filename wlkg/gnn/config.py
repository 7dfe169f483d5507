"""The table of models, what a user may choose about one, and its complete configuration.

A `ModelChoice` becomes a `ModelConfig` when the graph, the features and the classes are known.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Literal

from wlkg.display import Brief
from wlkg.errors import UsageError, unknown_name
from wlkg.gnn.compositions import find_composition
from wlkg.gnn.switches import SWITCHES

Aggregation = Literal["sum", "mean", "pna"]
AGGREGATIONS: tuple[str, ...] = ("sum", "mean")
#: C-MPNN only: mean, largest, smallest and standard deviation, scaled by degrees.
PNA = "pna"
PAIR_AGGREGATIONS: tuple[str, ...] = (*AGGREGATIONS, PNA)
#: k-RN: what follows the sum of a layer; the non-linearity comes after either.
Update = Literal["linear", "mlp"]
UPDATES: tuple[str, ...] = ("linear", "mlp")
Activation = Literal["relu", "sign"]
ACTIVATIONS: tuple[str, ...] = ("relu", "sign")
#: Readouts of whole graphs, see `wlkg.gnn.models.graph_readout`.
READOUTS: tuple[str, ...] = ("sum", "mean", "mlp")
#: What turns features of vertices into scores of links, see `wlkg.gnn.models.decoders`.
DECODERS: dict[str, str] = {
    "distmult": "sum of u_k z_k v_k",
    "transe": "minus the 1-norm of u + z - v",
    "rotate": "minus the distance of v from u, turned by the angles z",
    "mlp": "a hidden layer on u, z and v",
}
#: Names that `wlkg.gnn.dtypes` knows; listed here for a command line without PyTorch.
DTYPES: tuple[str, ...] = ("float32", "float64")
#: What happens to relations of a graph that are new to a saved model.
UNKNOWN_RELATIONS: tuple[str, ...] = ("error", "skip")


@dataclass(frozen=True)
class ModelKind:
    """A kind of model: what it is, the test that bounds it, and the paper's hyperparameters."""

    summary: str
    bounded_by: str
    #: Layers and epochs for graphs below `LARGE` vertices, and for larger graphs.
    layers: tuple[int, int]
    epochs: tuple[int, int]
    #: Whether it looks at relations, or only at the set of neighbours.
    sees_relations: bool = True
    #: Whether it gives features to pairs of a source and a vertex, for a query, and so cannot
    #: colour vertices or graphs.
    conditional: bool = False


MODELS: dict[str, ModelKind] = {
    "gnn": ModelKind(
        "plain GNN: distinct neighbours, relations forgotten",
        "1-wl",
        (2, 3),
        (8000, 100),
        sees_relations=False,
    ),
    "rgcn": ModelKind("R-GCN: a matrix for each relation", "1-rwl", (2, 3), (8000, 100)),
    "rgcn-mlp": ModelKind(
        "R-GCN + MLP: a shared MLP on the sum of each relation", "1-rwl", (2, 3), (8000, 400)
    ),
    "compgcn": ModelKind(
        "CompGCN: neighbours composed with relation vectors", "1-rwl", (2, 2), (8000, 800)
    ),
    "k-rn": ModelKind("k-RN: CompGCN on k-tuples of vertices", "K-rlwl", (2, 2), (1000, 100)),
    "c-mpnn": ModelKind(
        "C-MPNN (NBFNet): messages from the source of a query",
        "rawl2",
        (6, 6),
        (20, 20),
        conditional=True,
    ),
}
#: The models of vertices and graphs: all but those of pairs.
CLASSIFIERS: tuple[str, ...] = tuple(n for n, kind in MODELS.items() if not kind.conditional)

#: Models whose start has nothing to do with a vector that all vertices share.
_OWN_START = {
    "k-rn": "whose tuples start with the vectors of their atomic types",
    "c-mpnn": "where only the source starts with a vector, that of the query",
}

#: The paper's two data sets, AIFB and AM, have 8,285 and 1,666,764 vertices.
LARGE = 100_000
LEARNING_RATES = (0.001, 0.03)
WEIGHT_DECAY = 0.0005
#: The width of models that are trained, unless the user chooses another.
TRAINING_WIDTH = 4


@dataclass(frozen=True)
class Defaults:
    """The paper's hyperparameters for a model on a graph of a given size."""

    layers: int
    epochs: int
    learning_rate: float


#: Hyperparameters for whole graphs, which the paper does not train on.
GRAPH_DEFAULTS = Defaults(layers=3, epochs=300, learning_rate=0.005)


@dataclass(frozen=True)
class LinkDefaults(Defaults):
    """Hyperparameters for links, and the number of triples in a step of the optimiser."""

    batch: int


_FOR_ENCODERS = LinkDefaults(layers=2, epochs=100, learning_rate=0.01, batch=512)
#: By the models that predict links. The paper does not train on links; those of C-MPNN are close
#: to the ones of NBFNet.
LINK_DEFAULTS: dict[str, LinkDefaults] = {
    **dict.fromkeys(("gnn", "rgcn", "rgcn-mlp", "compgcn"), _FOR_ENCODERS),
    "c-mpnn": LinkDefaults(layers=6, epochs=20, learning_rate=0.005, batch=32),
}
#: The width of models that predict links, unless the user chooses another.
LINK_WIDTH = 32


def defaults(model: str, num_vertices: int) -> Defaults:
    """The paper's hyperparameters: those of AIFB below `LARGE` vertices, else those of AM."""
    if model not in MODELS:
        raise unknown_name("model", model, MODELS)
    kind, size = MODELS[model], int(num_vertices >= LARGE)
    return Defaults(
        layers=kind.layers[size], epochs=kind.epochs[size], learning_rate=LEARNING_RATES[size]
    )


@dataclass(frozen=True, kw_only=True)
class ModelSwitches:
    """What changes the formula of a model, apart from its widths and depth."""

    aggregation: Aggregation = "sum"
    composition: str = "mult"
    bias: bool = False
    #: CompGCN: a matrix for each direction, where self-loops count as a direction.
    direction: bool = True
    #: CompGCN: messages divided by the square root of both degrees.
    norm: bool = True
    #: CompGCN and k-RN: each layer transforms the relation vectors for the next one.
    relation_update: bool = True
    #: C-MPNN: the vectors of relations are made from the vector of the query.
    query_message: bool = False
    #: C-MPNN: a vertex also sees the sum over all vertices, in each layer.
    global_readout: bool = False
    #: k-RN: the length of tuples.
    k: int = 2
    #: k-RN: whether the sum of a layer goes through an MLP before the non-linearity.
    update: Update = "linear"
    activation: Activation = "relu"
    #: Whether the last layer ends with the non-linearity too, as in the paper's formula.
    last_activation: bool = False


@dataclass(frozen=True)
class ModelChoice(ModelSwitches, Brief):
    """What a user chooses about a model; the data decides the widths of its input and output."""

    model: str = "rgcn"
    #: None leaves the number of layers to the data.
    layers: int | None = None
    #: The width between layers.
    width: int = 64

    def __post_init__(self) -> None:
        _check_choices(self)
        _check_switches(self)

    def completed(
        self,
        *,
        in_width: int,
        out_width: int,
        relations: int,
        inverses: bool,
        layers: int,
        random_start: bool = False,
        vertex_features: bool = False,
    ) -> ModelConfig:
        """The complete configuration; ``layers`` applies unless the user chose a number.

        ``vertex_features`` says whether features differ from vertex to vertex.
        """
        if random_start and self.model in _OWN_START:
            raise UsageError(
                f"--features glorot has no effect on {self.model}, {_OWN_START[self.model]}. Use"
                " --features constant"
            )
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        given["layers"] = layers if self.layers is None else self.layers
        sees_relations = MODELS[self.model].sees_relations
        return ModelConfig(
            **given,
            in_width=in_width,
            out_width=out_width,
            relations=max(relations, 1) if sees_relations else 1,
            inverses=inverses and sees_relations,
            random_start=random_start,
            vertex_features=vertex_features and MODELS[self.model].conditional,
        )


def require_classifier(model: str) -> None:
    """Refuse a model of pairs where features of vertices, tuples or graphs are needed."""
    if model in MODELS and MODELS[model].conditional:
        raise UsageError(
            f"{model} gives features to pairs of a source and a vertex, for a query, and none to"
            f" vertices or graphs. Use one of {', '.join(CLASSIFIERS)}; wlkg versus and wlkg"
            f" witness take {model}"
        )


def sized_choice(model: str | ModelChoice, layers: int | None, width: int | None) -> ModelChoice:
    """A kind of model or a choice, with other layers and width if they are given."""
    choice = ModelChoice(model) if isinstance(model, str) else model
    return replace(
        choice,
        layers=choice.layers if layers is None else layers,
        width=choice.width if width is None else width,
    )


@dataclass(frozen=True)
class ModelConfig(ModelSwitches, Brief):
    """Everything that determines the shape and the formula of a model."""

    model: str
    #: Widths of the input features, between layers, and of the output.
    in_width: int
    width: int
    out_width: int
    #: The number of relations of the arcs that it sees, inverse relations included.
    relations: int
    layers: int = 2
    #: Whether the second half of the relations are the inverses of the first half.
    inverses: bool = False
    #: CompGCN and k-RN: every layer has its own relation vectors instead of transforming those of
    #: the layer before, as in the paper's formulas.
    own_vectors: bool = False
    #: Whether all vertices start with a random vector of the model, instead of given features.
    random_start: bool = False
    #: C-MPNN: pairs start with the features of both vertices, too.
    vertex_features: bool = False
    #: The widths between layers if they differ; ``width`` everywhere if empty. For k-RN and C-MPNN
    #: also the widths before the first layer and after the last.
    hidden_widths: tuple[int, ...] = ()
    #: How features become one vector for a whole graph, one of `READOUTS`; empty for a model of
    #: vertices.
    readout: str = ""

    def __post_init__(self) -> None:
        _check_choices(self)
        if self.readout and self.readout not in READOUTS:
            raise unknown_name("readout", self.readout, READOUTS)
        for name in ("in_width", "out_width"):
            _check_positive(name, getattr(self, name))
        if self.hidden_widths and len(self.widths) != self.layers + 1:
            raise UsageError(
                f"{len(self.hidden_widths)} hidden widths do not fit {self.layers} layers"
            )

    @property
    def widths(self) -> list[int]:
        """The widths before the first layer, between layers, and after the last."""
        if self.model == "k-rn" or self.conditional:
            return list(self.hidden_widths or (self.width,) * (self.layers + 1))
        between = self.hidden_widths or (self.width,) * (self.layers - 1)
        return [self.in_width, *between, self.width if self.readout else self.out_width]

    @property
    def sees_relations(self) -> bool:
        """Whether the model looks at relations, or only at the set of neighbours."""
        return MODELS[self.model].sees_relations

    @property
    def conditional(self) -> bool:
        """Whether it gives features to pairs of a source and a vertex, for a query."""
        return MODELS[self.model].conditional

    @property
    def num_queries(self) -> int:
        """C-MPNN: a query for each relation, asking for its tail, and one that asks for its head.

        Query r is (h, r, ?), and query ``outward`` + r is (?, r, t), in every direction mode.
        """
        return 2 * max(self.outward, 1)

    @property
    def normalised(self) -> bool:
        """Whether messages depend on the neighbours' degrees."""
        return self.model == "compgcn" and self.norm

    @property
    def outward(self) -> int:
        """The number of relations that are not inverses of others."""
        return self.relations // 2 if self.inverses else self.relations


def _check_choices(model: ModelChoice | ModelConfig) -> None:
    """Refuse unknown names, numbers that are too small, and choices that do not go together."""
    if model.model not in MODELS:
        raise unknown_name("model", model.model, MODELS)
    if model.aggregation not in PAIR_AGGREGATIONS:
        raise unknown_name("aggregation", model.aggregation, PAIR_AGGREGATIONS)
    if model.aggregation == PNA and not MODELS[model.model].conditional:
        raise UsageError(f"--aggregation pna is for c-mpnn: {model.model} has sum and mean")
    if model.update not in UPDATES:
        raise unknown_name("update", model.update, UPDATES)
    if model.activation not in ACTIVATIONS:
        raise unknown_name("activation", model.activation, ACTIVATIONS)
    find_composition(model.composition)
    _check_positive("width", model.width)
    _check_positive("k", model.k)
    if model.layers is not None:
        _check_positive("layers", model.layers)


def _check_switches(choice: ModelChoice) -> None:
    """Refuse switches that are not at their default but would change nothing."""
    chosen = {field.name: getattr(choice, field.name) for field in fields(choice)}
    usual = {field.name: field.default for field in fields(choice)}
    for name, switch in SWITCHES.items():
        reason = switch.unused(choice.model, chosen)
        allowed = (usual[name], switch.fixed.get(choice.model, usual[name]))
        if reason is not None and chosen[name] not in allowed:
            raise UsageError(f"{switch.option} {reason}")


def _check_positive(name: str, number: int) -> None:
    if number < 1:
        raise UsageError(f"{name} must be at least 1, found {number}")
