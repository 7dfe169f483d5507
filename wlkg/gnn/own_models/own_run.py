"""Running a user's own model on a graph in some order of its vertices and arcs."""

from __future__ import annotations

import torch

from wlkg.arrays import FloatArray
from wlkg.gnn.against_wl.runs import Order, edges, in_given_order, renumbered
from wlkg.gnn.features import Features
from wlkg.gnn.own_models.own_model import UserModel
from wlkg.graph.arcs import Arcs


class UserRun:
    """Runs a user's own model, and remembers what kind of numbers it gives."""

    def __init__(
        self,
        model: UserModel,
        arcs: Arcs,
        given: Features,
        device: torch.device,
        dtype: torch.dtype,
    ) -> None:
        self.model, self.dtype, self.width = model, dtype, given.width
        #: The coarsest floating-point type among the features of the last run.
        self.found_dtype = dtype
        self._arcs, self._given, self._device = arcs, given, device

    def __call__(self, order: Order) -> list[FloatArray]:
        edge_index, relation = edges(self._arcs, order)
        x = renumbered(self._given, order).to(self._device, self.dtype)
        features = self.model(x, edge_index.to(self._device), relation.to(self._device))
        floating = [rows.dtype for rows in features if rows.is_floating_point()]
        self.found_dtype = max(floating, key=lambda t: torch.finfo(t).eps, default=self.dtype)
        return in_given_order(features, order)
