"""Classes of a model's features, with the rounding measured by a second run.

The second run has the vertices and arcs in another arrangement. The largest difference between the
features of a vertex in the two runs is the noise that `clusters` allows for.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch

from wlkg.arrays import FloatArray
from wlkg.errors import WlkgError
from wlkg.gnn.against_wl.clusters import Clusters, cluster, deviation
from wlkg.gnn.against_wl.runs import Arrangement, Run
from wlkg.gnn.against_wl.setting import Setting
from wlkg.gnn.threads import shared_threads


def clustered_layers(
    run: Run, setting: Setting, *, seed: int
) -> Iterator[tuple[FloatArray, Clusters]]:
    """The features after each layer and their classes; the seed draws the second arrangement.

    Both runs go on layer by layer, and no layer is kept.
    """
    first = iter(run(Arrangement.as_given(setting.arcs)))
    second = iter(run(Arrangement.random(setting.arcs, seed)))
    least = least_noise(setting.dtype)
    for layer in itertools.count(1):
        with shared_threads(2):
            rows, others = _next_of_both(first, second)
        if rows is None or others is None:
            return
        for each in (rows, others):
            check_finite([each], layer)
        noise = max(deviation(rows, others), least)
        del each, others  # as large as all features
        yield rows, cluster(rows, noise)


def _next_of_both(
    first: Iterator[FloatArray], second: Iterator[FloatArray]
) -> tuple[FloatArray | None, FloatArray | None]:
    """The next layer of two runs, computed at the same time; None if there is no other."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        others = pool.submit(next, second, None)
        return next(first, None), others.result()


def check_finite(layers: Iterable[FloatArray], first: int = 1) -> None:
    """Refuse features that overflowed: they say nothing. ``first`` is the number of a layer."""
    for layer, rows in enumerate(layers, first):
        if not np.isfinite(rows).all():
            raise WlkgError(
                f"the features of layer {layer} are too large for their floating-point type."
                " Use fewer --layers; float64 holds the largest"
            )


def least_noise(dtype: torch.dtype) -> float:
    """The rounding to allow for even if the second run happens to show none."""
    return 4 * torch.finfo(dtype).eps
