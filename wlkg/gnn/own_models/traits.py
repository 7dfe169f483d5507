"""Parts of a model that explain why it sees more than message passing does.

| part | what it does to the bound |
|---|---|
| dropout left on | features are random: no test bounds them. ``.eval()`` turns it off |
| embeddings of vertices | each vertex has a vector of its own: no test bounds that |
| eigenvectors | sign and basis are arbitrary, so features depend on how vertices are numbered |
| random walks | return probabilities count cycles, which no vertex test does |
| BatchNorm in training mode, GraphNorm, PairNorm, PyG's LayerNorm, ... | numbers of all vertices |
| virtual nodes, readouts, attention between all vertices | the same |

The last two make features depend on the whole graph. All vertices of one graph share what is
computed from all of them, so they separate no two vertices of it that message passing does not
separate, and the bound stays. But a vertex gets other features in another graph or batch.
``torch.nn.LayerNorm`` works on each vertex alone and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from torch import nn

#: Normalisations over all vertices, by the names of their classes in torch and PyG.
_NORMS = {"GraphNorm", "PairNorm", "MeanSubtractionNorm", "DiffGroupNorm", "GraphSizeNorm"}
#: These do so in training mode only, unless they keep no statistics.
_BATCH_NORMS = {"BatchNorm1d", "BatchNorm2d", "SyncBatchNorm", "HeteroBatchNorm", "InstanceNorm"}


@dataclass(frozen=True)
class Traits:
    """Parts of a model, as ``name (class)``."""

    #: Dropout that is on.
    dropout: tuple[str, ...] = ()
    #: Parameters with a row for each vertex.
    embeddings: tuple[str, ...] = ()
    #: Normalisations over all vertices.
    norms: tuple[str, ...] = ()


def traits_of(model: Callable[..., Any], vertices: int) -> Traits:
    """The parts of a model that tell something; ``vertices`` is the size of its graph."""
    if not isinstance(model, nn.Module):
        return Traits()
    return Traits(
        dropout=tuple(_dropout(model)),
        embeddings=tuple(_embeddings(model, vertices)),
        norms=tuple(_norms(model)),
    )


def _dropout(model: nn.Module) -> Iterator[str]:
    for name, module in model.named_modules():
        if not module.training:
            continue
        if isinstance(module, nn.modules.dropout._DropoutNd):
            if module.p > 0:
                yield f"{name} ({type(module).__name__}, p={module.p})"
        elif isinstance(share := getattr(module, "dropout", None), float) and share > 0:
            yield f"{name} ({type(module).__name__}, dropout={share})"


def _embeddings(model: nn.Module, vertices: int) -> Iterator[str]:
    for name, parameter in model.named_parameters():
        if parameter.dim() == 2 and len(parameter) == vertices:
            owner = model.get_submodule(name.rpartition(".")[0])
            kind = type(owner).__name__ if isinstance(owner, nn.Embedding) else "Parameter"
            short = name.removesuffix(".weight") if isinstance(owner, nn.Embedding) else name
            yield f"{short} ({kind}, {vertices:,} rows)"


def _norms(model: nn.Module) -> Iterator[str]:
    for name, module in model.named_modules():
        kind = type(module).__name__
        of_graph = kind == "LayerNorm" and getattr(module, "mode", "") == "graph"
        of_batch = kind in _BATCH_NORMS and (
            module.training or not getattr(module, "track_running_stats", True)
        )
        if kind in _NORMS or of_graph or of_batch:
            mode = ", training mode" if kind in _BATCH_NORMS and module.training else ""
            yield f"{name} ({kind}{mode})"
