"""Classes of a model's features, with the rounding measured by a second run.

The second run has the vertices and arcs in another arrangement. The largest difference between the
features of a vertex in the two runs is the noise that `clusters` allows for.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from wlkg.arrays import FloatArray
from wlkg.errors import WlkgError
from wlkg.gnn.against_wl.clusters import Clusters, cluster, deviation
from wlkg.gnn.against_wl.runs import Arrangement, Run
from wlkg.gnn.against_wl.setting import Setting


def clustered_layers(
    run: Run, setting: Setting, *, seed: int
) -> tuple[list[FloatArray], list[Clusters]]:
    """The features after each layer and their classes; the seed draws the second arrangement."""
    first = run(Arrangement.as_given(setting.arcs))
    second = run(Arrangement.random(setting.arcs, seed))
    for layers in (first, second):
        check_finite(layers)
    pairs = zip(first, second, strict=True)
    least = least_noise(setting.dtype)
    return first, [cluster(a, max(deviation(a, b), least)) for a, b in pairs]


def check_finite(layers: Sequence[FloatArray]) -> None:
    """Refuse features that overflowed: they say nothing."""
    for layer, rows in enumerate(layers, 1):
        if not np.isfinite(rows).all():
            raise WlkgError(
                f"the features of layer {layer} are too large for their floating-point type."
                " Use fewer --layers; float64 holds the largest"
            )


def least_noise(dtype: torch.dtype) -> float:
    """The rounding to allow for even if the second run happens to show none."""
    return 4 * torch.finfo(dtype).eps
