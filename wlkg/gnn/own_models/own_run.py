"""Running an own model on a graph in a chosen arrangement of its vertices and arcs."""

from __future__ import annotations

import torch

from wlkg.arrays import FloatArray
from wlkg.gnn.against_wl.runs import (
    Arrangement,
    arranged_edges,
    arranged_features,
    rows_as_given,
)
from wlkg.gnn.against_wl.setting import Setting
from wlkg.gnn.own_models.own_model import OwnModel


class OwnRun:
    """Runs an own model, and remembers the precision of what it returns."""

    def __init__(self, model: OwnModel, setting: Setting) -> None:
        self.model = model
        self.setting = setting
        #: The coarsest floating-point type among the features of the last run.
        self.output_dtype = setting.dtype

    def __call__(self, arrangement: Arrangement) -> list[FloatArray]:
        setting = self.setting
        edge_index, relation = arranged_edges(setting.arcs, arrangement)
        x = arranged_features(setting.features, arrangement).to(setting.device, setting.dtype)
        layers = self.model(x, edge_index.to(setting.device), relation.to(setting.device))
        floating = [rows.dtype for rows in layers if rows.is_floating_point()]
        self.output_dtype = max(floating, key=lambda t: torch.finfo(t).eps, default=setting.dtype)
        return rows_as_given(layers, arrangement)
