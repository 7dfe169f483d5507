"""Which switch of a model applies to which kind of model.

A switch that does not apply would change nothing, so it is refused. The table is read by
`wlkg.gnn.config`, the command line, ``docs/models.md`` and the tests.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

_EVERY = ("gnn", "rgcn", "rgcn-mlp", "compgcn", "k-rn", "c-mpnn")
_COMPOSING = ("compgcn", "k-rn", "c-mpnn")


@dataclass(frozen=True)
class Condition:
    """A switch that must have a certain value, and the option that gives it this value."""

    switch: str
    value: Any
    option: str
    #: Why there is no effect otherwise.
    why: str


@dataclass(frozen=True)
class Switch:
    """What users choose about a model, and for which kinds of models it makes a difference."""

    #: The option that changes its default.
    option: str
    summary: str
    models: Collection[str] = _EVERY
    #: Models for which it is not a choice, with the value that they always have.
    fixed: Mapping[str, Any] = field(default_factory=dict)
    #: For some models, what it depends on.
    conditions: Mapping[str, Condition] = field(default_factory=dict)

    def unused(self, model: str, choices: Mapping[str, Any]) -> str | None:
        """Why it has no effect on a model with other choices, and what to do; None if it has."""
        if model not in self.models:
            return f"has no effect on {model}. It is for {', '.join(self.models)}"
        condition = self.conditions.get(model)
        if condition is None or choices[condition.switch] == condition.value:
            return None
        return f"has no effect on {model} {condition.why}. Add {condition.option}"


#: By the names of the fields of `wlkg.gnn.config.ModelChoice`.
SWITCHES: dict[str, Switch] = {
    "layers": Switch("--layers", "number of layers"),
    "width": Switch("--dim", "width of the features"),
    "aggregation": Switch(
        "--aggregation",
        "how messages are aggregated",
        conditions={
            "compgcn": Condition(
                "norm", False, "--no-norm", "with norm, which divides sums by degrees"
            )
        },
    ),
    "composition": Switch("--composition", "how neighbours meet relations", _COMPOSING),
    "bias": Switch("--bias", "a bias in each layer; for a C-MPNN, also at the start"),
    "direction": Switch("--no-direction", "one matrix for both directions", ("compgcn",)),
    "norm": Switch("--no-norm", "messages not divided by degrees", ("compgcn",)),
    "relation_update": Switch(
        "--no-relation-update", "the same relation vectors in each layer", ("compgcn", "k-rn")
    ),
    "query_message": Switch(
        "--query-message", "relation vectors made from the vector of the query", ("c-mpnn",)
    ),
    "global_readout": Switch(
        "--global-readout", "the sum over all vertices in each layer", ("c-mpnn",)
    ),
    "k": Switch("-k", "the length of tuples", ("k-rn",)),
    "update": Switch("--update", "what follows the sum of a layer", ("k-rn",)),
    "last_activation": Switch(
        "--last-activation",
        "a non-linearity after the last layer too; a k-RN always has it",
        ("gnn", "rgcn", "rgcn-mlp", "compgcn", "c-mpnn"),
        fixed={"k-rn": True},
    ),
}


def applying(model: str, **choices: Any) -> dict[str, Any]:
    """Those of the choices that make a difference to a model.

    >>> applying("rgcn", bias=True, norm=False), applying("compgcn", norm=False)
    ({'bias': True}, {'norm': False})
    """
    return {name: value for name, value in choices.items() if model in SWITCHES[name].models}
