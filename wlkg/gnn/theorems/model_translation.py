"""Models as other models with equal outputs: the paper's comparison theorems as a program.

====================================  =======  =====================================================
translation                           depth    how
====================================  =======  =====================================================
CompGCN mult, scale, corr, rotate     same     phi(h, z_i) = h C_i is linear in h, so
  to R-GCN                                     W_i = C_i W_1; C_i is phi of the unit vectors
R-GCN to CompGCN mult                 twice    features are copied once for each relation; z_i
                                               selects a copy; W_1 is all W_i stacked
CompGCN add, sub to concat            same     (h ± z) W = [h, z] [W; ±W]
CompGCN add to sub, sub to add        same     -z instead of z
CompGCN concat to add, sub            twice    features are padded for z; z_i becomes ±[0, z_i]
====================================  =======  =====================================================

The features that a layer only copies must survive its non-linearity. A ReLU keeps the features of
earlier layers, which are not negative; input features may be negative, so the first layer copies
them as h and -h. Every layer gets its own vectors of relations (see `relation_vectors`), because a
linear update of the previous layer's vectors cannot produce arbitrary vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import torch
from torch import Tensor

from wlkg.errors import UsageError, unknown_name
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.models.compgcn import CompGCNLayer
from wlkg.gnn.models.parameters import count_parameters
from wlkg.gnn.models.rgcn import RGCNLayer
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.memory import check_fits

LINEAR = ("mult", "scale", "corr", "rotate")
ADDING = ("add", "sub")
#: What a model can be translated to.
GOALS = ("rgcn", "mult", "add", "sub", "concat")


def translate_model(model: VertexModel, goal: str, *, max_memory: int | None = None) -> VertexModel:
    """A model of another kind that gives every vertex of every graph the same outputs.

    ``max_memory``: the bytes that this may take, by default half of what is free.
    """
    if goal not in GOALS:
        raise unknown_name("goal", goal, GOALS)
    kind = _kind(model.config)
    translation = _find_translation(kind, goal)
    if model.config.activation != "relu" and translation.adds_layers:
        raise UsageError(
            f"translating {kind} to {goal} adds layers that copy features, which only a ReLU"
            f" leaves unchanged; this model has {model.config.activation}. Translate a model"
            " made with --activation relu"
        )
    with torch.no_grad():
        return translation.build(model, goal, max_memory)


def _find_translation(kind: str, goal: str) -> Translation:
    for translation in TRANSLATIONS:
        if kind in translation.sources and goal in translation.goals and kind != goal:
            return translation
    possible = sorted({g for t in TRANSLATIONS if kind in t.sources for g in t.goals})
    known = ", ".join(g for g in possible if g != kind)
    every = ", ".join(dict.fromkeys(name for t in TRANSLATIONS for name in t.sources))
    raise UsageError(
        f"there is no translation from {kind} to {goal}. "
        + (f"From {kind}: {known}" if known else f"Translations exist from {every}")
    )


def _kind(config: ModelConfig) -> str:
    return config.composition if config.model == "compgcn" else config.model


def _layers(model: VertexModel) -> Iterator[tuple[CompGCNLayer, Tensor]]:
    """The layers of a CompGCN, each with the vectors of relations that it uses."""
    z: Tensor | None = model.relation_vectors
    for layer in model.layers:
        assert isinstance(layer, CompGCNLayer)
        yield layer, layer.relations(z)
        z = layer.following(z)


def _empty(config: ModelConfig, like: VertexModel, limit: int | None) -> VertexModel:
    """A model of zeros with the floating-point type and the device of another model."""
    with torch.device("meta"):
        made = VertexModel(config)
    parameter = next(like.parameters())
    weights = count_parameters(made)
    check_fits(
        "the translation",
        f"{weights:,} weights",
        # Matrices are assembled before they are copied into the model.
        2 * weights * parameter.element_size(),
        limit,
        "translate a model of fewer relations or smaller widths",
    )
    made.to(parameter.dtype).to_empty(device=parameter.device)
    if made.start is not None and like.start is not None:
        made.start.copy_(like.start)
    for empty in made.parameters():
        empty.zero_()
    return made


def _unit(size: int, like: Tensor) -> Tensor:
    """The unit matrix with the floating-point type and the device of a tensor."""
    return torch.eye(size, dtype=like.dtype, device=like.device)


def _to_rgcn(model: VertexModel, _goal: str, limit: int | None) -> VertexModel:
    config = model.config
    if config.norm:
        raise UsageError(
            "CompGCN with --norm divides messages by degrees, which R-GCN cannot: only models"
            " without it (--no-norm) are R-GCNs"
        )
    made = _empty(replace(config, model="rgcn", own_vectors=False), model, limit)
    for target, (layer, z) in zip(made.layers, _layers(model), strict=True):
        assert isinstance(target, RGCNLayer)
        unit = _unit(target.root.shape[0], z)
        loop = unit if layer.loop is None else layer.compose(unit, layer.loop)
        target.root.copy_(loop @ layer.root)
        for relation, vector in enumerate(z):
            weight = layer.weight[layer.direction_of(relation)]
            target.weight[relation].copy_(layer.compose(unit, vector[None]) @ weight)
        _copy_bias(layer, target)
    return made


def _copy_bias(layer: CompGCNLayer | RGCNLayer, target: CompGCNLayer | RGCNLayer) -> None:
    if layer.bias is not None and target.bias is not None:
        target.bias.copy_(layer.bias)


def _with_copies(model: VertexModel, _goal: str, limit: int | None) -> VertexModel:
    """R-GCN to CompGCN with multiplication."""
    config = model.config
    relations = max(config.relations, 1)
    copies = [2 * relations, *[relations] * (config.layers - 1)]
    wide = [width * count for width, count in zip(config.widths[:-1], copies, strict=True)]
    made = _empty(_deeper(config, "mult", wide), model, limit)
    for number, layer in enumerate(model.layers):
        assert isinstance(layer, RGCNLayer)
        copying, target = _pair(made, number)
        signs = [1.0, -1.0] if number == 0 else [1.0]
        unit = _unit(layer.root.shape[0], layer.root)
        copying.root.copy_(torch.cat([sign * unit for _ in range(relations) for sign in signs], 1))
        blocks = [sign * matrix for matrix in layer.weight for sign in signs]
        if blocks:
            target.weight[0].copy_(torch.cat(blocks))
        own = torch.cat([sign * layer.root for sign in signs])
        target.root[: len(own)].copy_(own)
        assert target.vectors is not None
        chosen = _unit(relations, layer.root)[: config.relations]
        target.vectors.copy_(chosen.repeat_interleave(len(signs) * len(unit), dim=1))
        _copy_bias(layer, target)
    return made


def _deeper(config: ModelConfig, composition: str, wide: list[int]) -> ModelConfig:
    """Twice the layers: a wide layer before each of the model's own."""
    between = [width for pair in zip(wide, config.widths[1:], strict=True) for width in pair]
    return replace(
        config,
        model="compgcn",
        composition=composition,
        layers=2 * config.layers,
        hidden_widths=tuple(between[:-1]),
        own_vectors=True,
        relation_update=False,
        direction=config.direction and config.model == "compgcn",
        norm=config.norm and config.model == "compgcn",
    )


def _pair(made: VertexModel, number: int) -> tuple[CompGCNLayer, CompGCNLayer]:
    first, second = made.layers[2 * number], made.layers[2 * number + 1]
    assert isinstance(first, CompGCNLayer)
    assert isinstance(second, CompGCNLayer)
    return first, second


def _to_concat(model: VertexModel, goal: str, limit: int | None) -> VertexModel:
    sign = 1.0 if model.config.composition == "add" else -1.0

    def doubled(matrix: Tensor) -> Tensor:
        return torch.cat([matrix, sign * matrix])

    return _layer_by_layer(model, goal, doubled, 1.0, limit)


def _to_opposite(model: VertexModel, goal: str, limit: int | None) -> VertexModel:
    return _layer_by_layer(model, goal, lambda matrix: matrix, -1.0, limit)


def _layer_by_layer(
    model: VertexModel,
    goal: str,
    change: Callable[[Tensor], Tensor],
    sign: float,
    limit: int | None,
) -> VertexModel:
    """Change the matrices after compositions, and multiply the vectors of relations by a sign."""
    config = replace(model.config, composition=goal, own_vectors=True, relation_update=False)
    made = _empty(config, model, limit)
    for target, (layer, z) in zip(made.layers, _layers(model), strict=True):
        assert isinstance(target, CompGCNLayer)
        assert target.vectors is not None
        target.vectors.copy_(sign * z)
        for there, here in zip(target.weight, layer.weight, strict=True):
            there.copy_(change(here))
        if layer.loop is None:
            target.root.copy_(layer.root)
        else:
            assert target.loop is not None
            target.loop.copy_(sign * layer.loop)
            target.root.copy_(change(layer.root))
        _copy_bias(layer, target)
    return made


def _with_padding(model: VertexModel, goal: str, limit: int | None) -> VertexModel:
    """CompGCN with concatenation to one with addition or subtraction."""
    config = model.config
    sign = 1.0 if goal == "add" else -1.0
    inputs = config.widths[:-1]
    # [h, -h, padding] in the first layer, [h, padding] in the others.
    wide = [width * (3 if number == 0 else 2) for number, width in enumerate(inputs)]
    made = _empty(_deeper(config, goal, wide), model, limit)
    for number, (layer, z) in enumerate(_layers(model)):
        adding, target = _pair(made, number)
        width = inputs[number]
        unit = _unit(width, z)
        parts = [unit, -unit] if number == 0 else [unit]
        adding.root[:, : len(parts) * width].copy_(torch.cat(parts, dim=1))

        def read(matrix: Tensor, parts: list[Tensor] = parts, width: int = width) -> Tensor:
            """The matrix that does to [h, -h, z], or to [h, z], what ``matrix`` does to [h, z]."""
            own = torch.cat([part @ matrix[:width] for part in parts])
            return torch.cat([own, matrix[width:]])

        assert target.vectors is not None
        target.vectors[:, -width:].copy_(sign * z)
        for there, here in zip(target.weight, layer.weight, strict=True):
            there.copy_(read(here))
        if layer.loop is None:
            own = torch.cat([part @ layer.root for part in parts])
            target.root[: len(own)].copy_(own)
        else:
            assert target.loop is not None
            target.loop[:, -width:].copy_(sign * layer.loop)
            target.root.copy_(read(layer.root))
        _copy_bias(layer, target)
    return made


@dataclass(frozen=True)
class Translation:
    """How models of certain kinds become models of other kinds."""

    sources: tuple[str, ...]
    goals: tuple[str, ...]
    #: Takes the model, the goal and the memory limit.
    build: Callable[[VertexModel, str, int | None], VertexModel]
    #: Whether there are additional layers, which copy features.
    adds_layers: bool = False


TRANSLATIONS: tuple[Translation, ...] = (
    Translation(LINEAR, ("rgcn",), _to_rgcn),
    Translation(("rgcn",), ("mult",), _with_copies, adds_layers=True),
    Translation(ADDING, ("concat",), _to_concat),
    Translation(ADDING, ADDING, _to_opposite),
    Translation(("concat",), ADDING, _with_padding, adds_layers=True),
)
