"""Classes of a model's features, with the rounding measured by a second run.

The second run has the vertices and arcs in another arrangement. The largest difference between the
features of a vertex in the two runs is the noise that `clusters` allows for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import torch

from wlkg.arrays import FloatArray
from wlkg.errors import WlkgError
from wlkg.gnn.against_wl.clusters import Clusters, cluster, deviation
from wlkg.gnn.against_wl.runs import Arrangement, Run
from wlkg.gnn.against_wl.setting import Setting


def clustered_layers(
    run: Run, setting: Setting, *, seed: int
) -> Iterator[tuple[FloatArray, Clusters]]:
    """The features after each layer and their classes; the seed draws the second arrangement.

    Both runs go on layer by layer, and no layer is kept.
    """
    first = run(Arrangement.as_given(setting.arcs))
    second = run(Arrangement.random(setting.arcs, seed))
    least = least_noise(setting.dtype)
    for layer, (rows, others) in enumerate(zip(first, second, strict=True), 1):
        for each in (rows, others):
            check_finite([each], layer)
        yield rows, cluster(rows, max(deviation(rows, others), least))


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
