"""How much memory an own model takes, as far as that is known before it runs.

Its code may allocate anything. What every model needs is counted: input, the features of its layers
(kept for each draw in two precisions), and messages of one layer along all arcs.
"""

from __future__ import annotations

from wlkg.gnn.against_wl.setting import Setting
from wlkg.gnn.config import ModelChoice
from wlkg.memory import check_fits

#: The layers of an own model whose number is not given.
USUAL_LAYERS = 2
#: Bytes for each arc: its ends and its relation as integers, in the order given and rearranged.
_PER_ARC = 64


def check_own_fits(setting: Setting, choice: ModelChoice, *, draws: int) -> None:
    """Refuse an own model whose features and messages do not fit into memory."""
    vertices, arcs = setting.graph.num_vertices, len(setting.arcs)
    given, layers = setting.features.width, choice.layers or USUAL_LAYERS
    features = vertices * (given + layers * choice.width)
    messages = arcs * max(given, choice.width)
    kept = 2 * draws * vertices * layers * choice.width
    check_fits(
        f"an own model with {layers} layers on {vertices:,} vertices",
        f"features of about {features:,} numbers and messages of {messages:,}",
        8 * (kept + 4 * features + messages) + _PER_ARC * arcs,
        setting.max_memory,
        "use a smaller --dim, fewer --layers or a smaller graph",
    )
