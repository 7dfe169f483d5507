"""Small graphs with matplotlib: one or two side by side, in the colours of one round of a test."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from wlkg.errors import UsageError
from wlkg.reports.blocks import Colouring, Drawing, DrawnGraph
from wlkg.text import counted, printable
from wlkg.typesetting.figures import COLOURS, COLUMN_WIDTH, DARK_FILLS, FILLS, PAGE_WIDTH

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Shapes of vertices: the first eight classes are circles, the next eight squares, and so on.
_SHAPES = ("o", "s", "D", "h", "^")
_DASHES: tuple[Any, ...] = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (6, 2, 1, 2)), (0, (3, 1, 1, 1)))
#: Graphs with more vertices are drawn without names.
_MOST_NAMES = 40
_LONGEST_NAME = 18
#: The room around a graph, which lies in the unit square.
_ROOM = 0.07
#: How far parallel edges are bent.
_BEND = 0.22


def draw_graphs(drawing: Drawing, at_round: int | None = None) -> Figure:
    """The graphs at the round at which a test separates them, at the last, or at a given one."""
    from matplotlib.figure import Figure

    colouring = _colouring(drawing.colourings)
    t = _round(colouring, at_round)
    count = len(drawing.graphs)
    width = COLUMN_WIDTH if count == 1 else PAGE_WIDTH
    figure = Figure(figsize=(width, 3.3), layout="constrained")
    panels = figure.subplots(1, count, squeeze=False)[0]
    for number, (axes, graph) in enumerate(zip(panels, drawing.graphs, strict=True)):
        _draw_graph(axes, drawing, graph, colouring.rounds[t][number] if colouring else None)
        for place, vertex in drawing.marked:
            if place == number:
                _draw_mark(axes, graph.places[vertex])
    figure.suptitle(_title(colouring, t), fontsize=8, fontweight="bold")
    if len(drawing.relations) > 1:
        _legend(figure, drawing.relations)
    return figure


def _colouring(colourings: Sequence[Colouring]) -> Colouring | None:
    """The first test that separates the graphs, or else the first."""
    separating = (each for each in colourings if each.separated_at is not None)
    return next(separating, next(iter(colourings), None))


def _round(colouring: Colouring | None, wanted: int | None) -> int:
    if colouring is None:
        return 0
    last = len(colouring.rounds) - 1
    if wanted is None:
        return last if colouring.separated_at is None else min(colouring.separated_at, last)
    if wanted > last:
        raise UsageError(f"--figure-round {wanted}: the last round of {colouring.test} is {last}")
    return wanted


def _title(colouring: Colouring | None, t: int) -> str:
    if colouring is None:
        return ""
    classes = len({colour for graph in colouring.rounds[t] for colour in graph})
    return f"{colouring.test}, round {t}: {counted(classes, 'class', 'classes')} of vertices"


def _draw_graph(
    axes: Axes, drawing: Drawing, graph: DrawnGraph, colours: Sequence[int] | None
) -> None:
    axes.set_title(printable(graph.name), fontsize=7.5, fontweight="normal", loc="center")
    axes.set_axis_off()
    axes.set_aspect("equal")
    axes.set_xlim(-_ROOM, 1 + _ROOM)
    axes.set_ylim(1 + _ROOM, -_ROOM)
    _draw_edges(axes, drawing, graph)
    size = 150 if len(graph.vertices) <= 20 else 85 if len(graph.vertices) <= 60 else 45
    for vertex, (x, y) in enumerate(graph.places):
        _draw_vertex(axes, (x, y), 1 if colours is None else colours[vertex], size)
        if len(graph.vertices) <= _MOST_NAMES:
            _draw_name(axes, graph.vertices[vertex], (x, y), size)


def _draw_vertex(axes: Axes, place: tuple[float, float], colour: int, size: int) -> None:
    number = max(colour - 1, 0)
    fill = FILLS[number % len(FILLS)]
    shape = _SHAPES[number // len(FILLS) % len(_SHAPES)]
    outline: dict[str, Any] = {"edgecolors": "#222222", "linewidths": 0.7, "zorder": 3}
    axes.scatter(*place, s=size, c=fill, marker=shape, **outline)
    font: Any = {"fontsize": 6.5 if size > 100 else 5, "ha": "center", "va": "center_baseline"}
    text = "white" if fill in DARK_FILLS else "black"
    axes.text(*place, f"{colour}", color=text, zorder=4, **font)


def _draw_name(axes: Axes, name: str, place: tuple[float, float], size: int) -> None:
    """Above or below, away from the middle of the graph, where fewer edges are."""
    name = printable(name)
    shown = f"{name[: _LONGEST_NAME - 1]}…" if len(name) > _LONGEST_NAME else name
    is_above = place[1] < 0.5
    distance = (size**0.5) / 2 + 2
    beside: Any = {"textcoords": "offset points", "ha": "center", "fontsize": 5.5, "zorder": 2}
    beside |= {"xytext": (0, distance if is_above else -distance)}
    halo = {"boxstyle": "square,pad=0.05", "facecolor": "white", "edgecolor": "none", "alpha": 0.75}
    side = "bottom" if is_above else "top"
    axes.annotate(shown, place, va=side, color="#333333", bbox=halo, **beside)


def _draw_mark(axes: Axes, place: tuple[float, float]) -> None:
    ring: dict[str, Any] = {"facecolors": "none", "edgecolors": "#D55E00", "linewidths": 1.6}
    axes.scatter(*place, s=300, zorder=5, **ring)


def _draw_edges(axes: Axes, drawing: Drawing, graph: DrawnGraph) -> None:
    """Parallel edges side by side, each bent a little more."""
    keyed = sorted(graph.triples, key=lambda each: (*sorted((each[0], each[2])), each[1], each[0]))
    for (one, two), group in groupby(keyed, key=lambda each: tuple(sorted((each[0], each[2])))):
        triples = list(group)
        for place, (head, relation, tail) in enumerate(triples):
            bend = _BEND * (place - (len(triples) - 1) / 2)
            if one == two:
                _draw_loop(axes, graph.places[one], relation, place)
                continue
            # Seen from its own head, an edge the other way round is bent to the other side.
            bend = bend if head == one else -bend
            _draw_edge(axes, drawing, (graph.places[head], graph.places[tail]), relation, bend)


def _draw_edge(
    axes: Axes,
    drawing: Drawing,
    ends: tuple[tuple[float, float], tuple[float, float]],
    relation: int,
    bend: float,
) -> None:
    from matplotlib.patches import FancyArrowPatch

    arrow = "-" if drawing.direction == "undirected" else "-|>"
    axes.add_patch(
        FancyArrowPatch(
            *ends,
            arrowstyle=arrow,
            connectionstyle=f"arc3,rad={bend:.3f}",
            mutation_scale=6,
            shrinkA=5,
            shrinkB=6,
            color=_edge_colour(relation),
            linestyle=_DASHES[relation % len(_DASHES)],
            linewidth=0.8,
            zorder=1,
        )
    )


def _draw_loop(axes: Axes, place: tuple[float, float], relation: int, number: int) -> None:
    from matplotlib.patches import Circle

    radius = 0.035 + 0.012 * number
    centre = (place[0], place[1] - radius)
    style = _DASHES[relation % len(_DASHES)]
    colour = _edge_colour(relation)
    loop = Circle(centre, radius, fill=False, color=colour, linestyle=style, linewidth=0.8)
    axes.add_patch(loop)


def _edge_colour(relation: int) -> str:
    return ("#555555", *COLOURS)[relation % (len(COLOURS) + 1)]


def _legend(figure: Figure, relations: Sequence[str]) -> None:
    from matplotlib.lines import Line2D

    handles = [
        Line2D([], [], color=_edge_colour(i), linestyle=_DASHES[i % len(_DASHES)], linewidth=1)
        for i in range(len(relations))
    ]
    names = [printable(name) for name in relations]
    figure.legend(handles, names, loc="outside lower center", ncols=min(len(names), 6))
