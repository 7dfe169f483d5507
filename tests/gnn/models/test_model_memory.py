"""Memory: what training takes is never more than what was said before, nor much less."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from typing import Any, Literal

import pytest
import torch

from tests.gnn.training.tasks import SETS, random_graph, small_task
from wlkg.errors import TooLargeError
from wlkg.gnn.compositions import COMPOSITIONS
from wlkg.gnn.config import CLASSIFIERS, ModelChoice, ModelConfig
from wlkg.gnn.models.model_memory import num_weights
from wlkg.gnn.models.parameters import count_parameters
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.gnn.training.task import make_task

#: Prints how far the peak rises during training, and the bytes that were said to be needed.
MEASURING = """
import json, sys
from pathlib import Path
import numpy as np
import wlkg
from wlkg.gnn.config import ModelChoice
from wlkg.gnn.models import model_memory

n, m, options, needed = *json.loads(sys.argv[1]), []
model_memory.check_fits = lambda what, content, size, limit, remedy: needed.append(size)

def train(n, m, **options):
    draw = np.random.default_rng(0).integers
    columns = draw(0, n, m), draw(0, 9, m), draw(0, n, m)
    graph = wlkg.RelationalGraph.from_arrays(*columns, num_vertices=n)
    targets = {str(v): "xy"[v % 2] for v in range(50)}
    wlkg.train(graph, targets, model=ModelChoice(**options), epochs=2, compress=False)
    # Unlike ru_maxrss, this does not begin with the memory of the parent.
    status = Path("/proc/self/status").read_text().split()
    return int(status[status.index("VmHWM:") + 1]) * 1024

before = train(200, 400, **{**options, "width": 2})
after = train(n, m, **options)
print(json.dumps([after - before, needed[-1]]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says so")
@pytest.mark.parametrize(
    ("vertices", "triples", "options"),
    [
        (300, 2000, {"model": "k-rn", "width": 16}),
        (1000, 5000, {"model": "rgcn", "width": 600}),
    ],
)
def test_training_takes_no_more_than_was_said_and_not_much_less(
    vertices: int, triples: int, options: dict[str, Any]
) -> None:
    argument = json.dumps([vertices, triples, options])
    done = subprocess.run(
        [sys.executable, "-c", MEASURING, argument], check=True, capture_output=True, text=True
    )
    taken, needed = json.loads(done.stdout)
    assert taken > 10**8  # so that the program itself does not matter
    assert taken < needed < 4 * taken


@pytest.mark.parametrize("model", sorted(CLASSIFIERS))
def test_training_that_does_not_fit_is_refused_with_numbers(model: str) -> None:
    with pytest.raises(TooLargeError, match=r"needs [\d,]+ bytes .* the 10,000 allowed") as caught:
        small_task(model, max_memory=10_000)
    assert caught.value.exit_code == 3
    assert small_task(model, max_memory=10**7).config.model == model


@pytest.mark.parametrize("model", sorted(CLASSIFIERS))
def test_weights_that_do_not_fit_are_never_drawn(model: str) -> None:
    wide = ModelChoice(model, width=100_000)
    with pytest.raises(TooLargeError, match=r"about [\d,]{14,} weights"):
        make_task(random_graph(), SETS, wide, max_memory=10**9)


def test_a_frozen_model_needs_less_than_one_that_is_trained() -> None:
    limits = []
    for freeze in (True, False):
        with pytest.raises(TooLargeError) as caught:
            small_task("k-rn", freeze=freeze, max_memory=1)
        limits.append(int(str(caught.value).split(" needs ")[1].split()[0].replace(",", "")))
    assert limits[0] < limits[1]


@pytest.mark.parametrize("composition", sorted(COMPOSITIONS))
@pytest.mark.parametrize("model", sorted(CLASSIFIERS))
def test_a_model_has_no_more_weights_than_was_said_and_not_much_less(
    model: str, composition: str
) -> None:
    updates: tuple[Literal["linear", "mlp"], ...] = ("linear", "mlp")
    for relations, width, bias, update in itertools.product(
        (2, 50), (4, 100), (False, True), updates
    ):
        config = ModelConfig(
            model, width, width, width, relations, layers=2, composition=composition, bias=bias,
            update=update,
        )  # fmt: skip
        with torch.device("meta"):
            made = TupleModel(config, 1) if model == "k-rn" else VertexModel(config)
        said = num_weights(config)
        assert said / 10 < count_parameters(made) <= said
