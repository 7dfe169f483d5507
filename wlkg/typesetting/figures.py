"""The one style of all figures: colours, marks, fonts and sizes, and files without dates.

Colours are those of Okabe and Ito, which colour-blind people can tell apart; lines also differ by
their marks. Sizes are those of a column and of a page of a paper. The same content gives the same
bytes with the same version of matplotlib.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from wlkg.errors import MissingExtraError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: For lines, on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8A6D00")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
#: For areas with a number inside, and whether the number is white.
FILLS = ("#56B4E9", "#E69F00", "#1FAE86", "#D48BB4", "#F0E442", "#0072B2", "#D55E00", "#882255")
DARK_FILLS = {"#0072B2", "#D55E00", "#882255"}
#: A column and a page of a paper, in inches.
COLUMN_WIDTH, PAGE_WIDTH = 3.4, 7.0

STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "axes.axisbelow": True,
    "legend.frameon": False,
    # Names are text: a dollar sign begins no formula.
    "text.parse_math": False,
    "text.usetex": False,
    "svg.hashsalt": "wlkg",
    "pdf.fonttype": 42,
    "savefig.dpi": 200,
}
#: Smaller letters, for the width of a column.
PRINT: Any = {
    **STYLE,
    "font.size": 7.5,
    "axes.titlesize": 8,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "legend.fontsize": 7,
    "lines.linewidth": 1.3,
    "lines.markersize": 4,
    "savefig.dpi": 300,
}
#: No dates and no versions, so that equal figures are equal files.
METADATA: dict[str, dict[str, Any]] = {
    ".svg": {"Date": None, "Creator": None},
    ".png": {"Software": None},
    ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}


def check_matplotlib() -> None:
    """Refuse to go on if figures cannot be drawn."""
    try:
        import matplotlib as mpl  # noqa: F401
    except ImportError as error:
        raise MissingExtraError("a figure", "plots") from error


def encoded(figure: Figure, suffix: str) -> bytes:
    """The figure as the bytes of a file with this suffix."""
    stream = io.BytesIO()
    figure.savefig(stream, format=suffix[1:], metadata=METADATA[suffix])
    return stream.getvalue()
