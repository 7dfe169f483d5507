"""Building an own model: a class or a factory is called with what its parameters ask for by name.

`ASKED` lists the names. Values are given where there is no default, and where a default would be a
guess about another graph: the width of the input, the number of relations and what else the graph
decides.
"""

from __future__ import annotations

import functools
import inspect
import textwrap
from collections.abc import Callable
from typing import Any

from wlkg.errors import UsageError
from wlkg.gnn.models.parameters import seeded
from wlkg.gnn.own_models.hosting import Host
from wlkg.gnn.own_models.signatures import required_parameters, signature_of

#: For each field of `Given`, the names of parameters that ask for it.
_NAMES = {
    "in_width": "in_width in_channels in_dim in_features in_size in_feats in_feat input_dim "
    "input_size input_channels num_features num_node_features nfeat",
    "width": "width dim channels hidden hidden_channels hidden_dim hidden_size hidden_features "
    "hidden_width h_dim nhid out_width out_channels out_dim out_features out_feats out_feat "
    "out_size output_dim output_size num_classes n_classes nclass embedding_dim embed_dim emb_dim",
    "relations": "num_relations relations num_rels num_rel n_relations n_rels num_edge_types "
    "n_edge_types edge_dim num_edge_features edge_channels num_bases n_bases",
    "layers": "num_layers layers depth n_layers",
    "vertices": "num_nodes num_vertices num_entities vertices n_nodes n_vertices n_entities",
    "metadata": "metadata",
    "node_types": "node_types",
    "edge_types": "edge_types",
    "heads": "heads num_heads n_heads",
    "dropout": "dropout dropout_rate drop p_drop",
    "seed": "seed",
    "dtype": "dtype",
}
ASKED = {asked: tuple(names.split()) for asked, names in _NAMES.items()}
FIELD = {name: asked for asked, names in ASKED.items() for name in names}
#: Defaults of these parameters are guesses about other graphs and are always replaced.
_NEVER_DEFAULT = {"in_width", "relations"}
#: Except these: None, or a small number, is a choice about the model.
_CHOICES = {"edge_dim", "num_bases", "n_bases"}

FUNCTION = "a function (x, edge_index, edge_type)"
EXPECTED = f"a torch.nn.Module, a class or function that makes one, or {FUNCTION}"


def built(make: Callable[..., Any], host: Host) -> Any:
    """Call a class or a factory with the sizes that it asks for by name."""
    arguments = _making_arguments(make, host)
    call = functools.partial(make, *arguments.args, **arguments.kwargs)
    made = host.run("being built", lambda: seeded(host.given.seed, call))
    if not callable(made) or isinstance(made, type):
        result = f"the class {made.__name__}" if isinstance(made, type) else type(made).__name__
        raise UsageError(
            f"{host.name} was called to make a model and gave {result}. Expected a torch.nn.Module "
            f"or {FUNCTION}"
        )
    return made


def _making_arguments(make: Callable[..., Any], host: Host) -> inspect.BoundArguments:
    signature = signature_of(make)
    required = {p.name for p in required_parameters(signature)}
    unknown = [name for name in signature.parameters if name in required and name not in FIELD]
    if unknown:
        raise UsageError(_unknown_parameters(unknown, host.name))
    arguments = signature.bind_partial()
    for name in signature.parameters:
        asked = FIELD.get(name)
        replaced = asked in _NEVER_DEFAULT and name not in _CHOICES
        if asked is not None and (name in required or replaced):
            arguments.arguments[name] = getattr(host.given, asked)
    return arguments


def _unknown_parameters(unknown: list[str], name: str) -> str:
    short = name.rpartition(":")[2]
    missing = ", ".join(f"{parameter}=..." for parameter in unknown)
    known = [
        line
        for asked, names in ASKED.items()
        for line in textwrap.wrap(f"{asked}: {', '.join(names)}", 74, subsequent_indent="  ")
    ]
    return "\n  ".join(
        [
            f"{name} needs {', '.join(map(repr, unknown))}, which wlkg cannot know. It can give:",
            *(f"  {line}" for line in known),
            "Write a function that makes the model, and name that function instead:",
            "  def make(in_width, num_relations):",
            f"      return {short}({missing})",
            "A function that is itself the model takes (x, edge_index, edge_type).",
        ]
    )
