"""Running an own model on a graph in a chosen arrangement of its vertices and arcs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from wlkg.arrays import FloatArray
from wlkg.errors import InputError
from wlkg.gnn.against_wl.runs import (
    Arrangement,
    arranged_edges,
    arranged_features,
    rows_as_given,
)
from wlkg.gnn.against_wl.setting import Setting
from wlkg.gnn.own_models.hosting import is_clash
from wlkg.gnn.own_models.own_model import OwnModel


class OwnRun:
    """Runs an own model, and remembers the precision of what it returns."""

    def __init__(self, model: OwnModel, setting: Setting) -> None:
        self.model = model
        self.setting = setting
        #: The coarsest floating-point type among the features of the last run and the input.
        self.dtype = model.dtype

    def __call__(self, arrangement: Arrangement, rows: Tensor | None = None) -> list[FloatArray]:
        """The features of each layer; ``rows`` replace the input features of the vertices."""
        setting = self.setting
        edge_index, relation = arranged_edges(setting.arcs, arrangement)
        x = arranged_features(setting.features, arrangement) if rows is None else rows
        layers = self.model(
            x.to(setting.device, self.model.dtype),
            edge_index.to(setting.device),
            relation.to(setting.device),
        )
        floating = [rows.dtype for rows in layers if rows.is_floating_point()]
        self.dtype = max([*floating, self.model.dtype], key=lambda dtype: torch.finfo(dtype).eps)
        return rows_as_given(layers, arrangement)


def first_run(
    load: Callable[[torch.dtype], OwnModel], setting: Setting
) -> tuple[OwnRun, list[FloatArray]]:
    """A model loaded and run once.

    A model that casts to a type of its own clashes with weights in double precision; it is then
    loaded again in single precision.
    """
    given = Arrangement.as_given(setting.arcs)
    run = OwnRun(load(setting.dtype), setting)
    try:
        return run, run(given)
    except InputError as error:
        if setting.dtype != torch.float64 or not is_clash(error):
            raise
        single = OwnRun(load(torch.float32), setting)
        try:
            return single, single(given)
        except InputError:
            raise error from None


@dataclass(frozen=True, eq=False)
class SingleRun:
    """A model in single precision, and the features of its first run."""

    run: OwnRun
    layers: list[FloatArray]


def in_single_precision(
    load: Callable[[torch.dtype], OwnModel], setting: Setting
) -> SingleRun | None:
    """The model in single precision; None if it does not run in it."""
    try:
        run = OwnRun(load(torch.float32), setting)
        return SingleRun(run, run(Arrangement.as_given(setting.arcs)))
    except InputError:
        return None
