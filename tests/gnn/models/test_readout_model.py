"""A readout that is trained on top of a model."""

from __future__ import annotations

import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from tests.gnn.checkpoints.saved_models import (
    GRAPH,
    assert_equal_models,
    content_of,
    saved_model,
    written,
)
from tests.gnn.models.formulas import random_rows, randomised, whole_plan
from wlkg.gnn.checkpoints.saved_model import load_model
from wlkg.gnn.models.parameters import seeded
from wlkg.gnn.models.readout_model import ReadoutModel
from wlkg.gnn.models.tuple_input import tuple_inputs
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel


def test_a_readout_is_a_linear_map_of_the_features_of_a_model(tmp_path: Path) -> None:
    for model in ("rgcn", "k-rn"):
        saved = saved_model(model)
        readout = randomised(ReadoutModel(saved.build(), 7), 3)
        body = readout.body
        if isinstance(body, TupleModel):
            (block,) = tuple_inputs(GRAPH, 2)
            inputs: tuple[Any, ...] = (replace(block, types=block.types % 6),)
            last = body.features(*inputs)[-1]
            rows = torch.stack([torch.cat([last[v, v], last[v].sum(dim=0)]) for v in range(5)])
        else:
            inputs = (random_rows(5, 3, seed=2), whole_plan(GRAPH, saved.config))
            rows = body(*inputs)
        expected = rows @ readout.head.weight.T + readout.head.bias
        torch.testing.assert_close(readout(*inputs), expected, rtol=1e-12, atol=1e-12)
        assert readout(*inputs).shape == (5, 7)
        # The checkpoint of such a run is read as the model below the readout.
        content = {**content_of(saved), "model": readout.state_dict()}
        loaded = load_model(str(written(content, tmp_path / f"{model}.pt")))
        assert_equal_models(loaded, replace(saved, weights=body.state_dict()))


def test_a_model_with_signs_below_a_readout_stays_fixed_and_is_computed_once() -> None:
    saved = saved_model("rgcn")
    config = replace(saved.config, activation="sign", last_activation=True)
    calls = []

    class Counting(VertexModel):
        def forward(self, x: Tensor, plan: Any) -> Tensor:
            calls.append(1)
            return super().forward(x, plan)

    for chosen, times in ((config, 1), (saved.config, 5)):
        calls.clear()
        body = randomised(Counting(chosen), 1)
        kept = copy.deepcopy(body.state_dict())
        readout = seeded(1, ReadoutModel, body, 2).double()
        optimiser = torch.optim.Adam(readout.parameters(), lr=0.1, weight_decay=0.1)
        inputs = random_rows(5, 3, seed=2), whole_plan(GRAPH, chosen)
        first = readout(*inputs).detach().clone()
        for _ in range(4):
            optimiser.zero_grad()
            (readout(*inputs) ** 2).sum().backward()
            optimiser.step()
        assert len(calls) == times
        same = all(torch.equal(value, kept[name]) for name, value in body.state_dict().items())
        assert same == (times == 1)
        with torch.no_grad():
            assert not torch.equal(readout(*inputs), first)
