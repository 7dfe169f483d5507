"""A small graph as SVG, in the colours of one round; the script changes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wlkg.reports.blocks import Drawing, DrawnGraph
from wlkg.reports.html.canvas import Canvas
from wlkg.reports.html.edges import Curve, curves
from wlkg.reports.html.escaping import cut, label, text_of
from wlkg.reports.html.name_places import Box, NamePlace, name_places
from wlkg.reports.html.signs import colour_of, dashes_of, outline_of, relation_class
from wlkg.reports.numbers import written

#: Names are cut to this many letters, and left out in larger graphs until they are asked for.
_LONGEST_NAME = 16
_LONGEST_RELATION = 18
_MOST_NAMES = 60
_MOST_EDGE_LABELS = 48


@dataclass(frozen=True)
class GraphPicture:
    """A graph as SVG elements, and the box that they fill."""

    number: int
    kinds: str
    about: str
    inside: str
    box: Box

    def svg(self, left: float, right: float, shown_width: int) -> str:
        """The whole SVG element, which shows the plane between left and right."""
        top, bottom = round(self.box[1]), round(self.box[3])
        view = f"{round(left)} {top} {round(right) - round(left)} {bottom - top}"
        return (
            f'<svg class="graph{self.kinds}" viewBox="{view}" width="{shown_width}"'
            f' role="group" aria-label="{text_of(self.about)}" data-graph="{self.number}">'
            f"{self.inside}</svg>"
        )


def graph_picture(
    drawing: Drawing, number: int, canvas: Canvas, colours: Sequence[int]
) -> GraphPicture:
    """One graph of a drawing."""
    graph = drawing.graphs[number]
    places = canvas.places(graph)
    radii = _radii(graph, canvas.radius)
    lines = curves(graph.triples, places, radii, arrows=drawing.direction != "undirected")
    names = [label(name, _LONGEST_NAME) for name in graph.vertices]
    touches = [
        (end, line.label)
        for (head, _, tail), line in zip(graph.triples, lines, strict=True)
        for end in (head, tail)
    ]
    beside = name_places(names, places, radii, touches)
    edges = "".join(_edge(drawing, graph, i, curve) for i, curve in enumerate(lines))
    vertices = "".join(
        _vertex(drawing, number, v, (*places[v], radii[v]), colours[v], names[v], beside[v])
        for v in range(len(graph.vertices))
    )
    return GraphPicture(
        number=number,
        kinds=_kinds(drawing, graph),
        about=f"{graph.name}: {len(graph.vertices)} vertices, {len(graph.triples)} triples",
        inside=f'<g class="edges">{edges}</g><g class="vertices">{vertices}</g>',
        box=around(
            [
                *((x - r, y - r, x + r, y + r) for (x, y), r in zip(places, radii, strict=True)),
                *(side.box(n, p) for side, n, p in zip(beside, names, places, strict=True)),
                *((x - 8, y - 8, x + 8, y + 8) for x, y in (line.label for line in lines)),
            ]
        ),
    )


def around(boxes: Sequence[Box], margin: float = 8) -> Box:
    """The smallest box around some boxes, with a margin."""
    left, top, right, bottom = zip(*boxes, strict=True) if boxes else ((0,), (0,), (0,), (0,))
    return min(left) - margin, min(top) - margin, max(right) + margin, max(bottom) + margin


def _kinds(drawing: Drawing, graph: DrawnGraph) -> str:
    """What is shown at first."""
    names = "" if len(graph.vertices) > _MOST_NAMES else " with-names"
    if len(drawing.relations) < 2 and not graph.counts:
        return names
    few = len(graph.triples) <= _MOST_EDGE_LABELS
    return f"{names} several{' with-relations' if few else ''}"


def _radii(graph: DrawnGraph, radius: float) -> list[float]:
    """Equal, or by the size of the class for which a vertex stands."""
    if not graph.sizes:
        return [radius] * len(graph.vertices)
    largest = max(graph.sizes) ** 0.5
    return [round(13 + 15 * size**0.5 / largest, 1) for size in graph.sizes]


def _edge(drawing: Drawing, graph: DrawnGraph, number: int, curve: Curve) -> str:
    head, relation, tail = graph.triples[number]
    name = drawing.relations[relation]
    count = f" × {written(graph.counts[number])}" if graph.counts else ""
    middle = "–" if drawing.direction == "undirected" else "→"
    title = f"{graph.vertices[head]} – {name}{count} {middle} {graph.vertices[tail]}"
    arrow = f'<path class="tip" d="{curve.arrow}"/>' if curve.arrow else ""
    x, y = curve.label
    turn = f'transform="translate({x:.1f} {y:.1f}) rotate({curve.angle:.0f})"'
    shown = text_of(cut(name, _LONGEST_RELATION) + count)
    return (
        f'<g class="edge {relation_class(relation)}" data-ends="{head} {tail}">'
        f"<title>{text_of(title)}</title>"
        f'<path class="line" d="{curve.path}"{dashes_of(relation)}/>{arrow}'
        f'<text class="relation" {turn} y="-4" text-anchor="middle">{shown}</text></g>'
    )


def _vertex(
    drawing: Drawing,
    graph: int,
    vertex: int,
    disc: tuple[float, float, float],
    colour: int,
    name: str,
    beside: NamePlace,
) -> str:
    x, y, radius = disc
    marked = " marked" if (graph, vertex) in drawing.marked else ""
    ring = f'<circle class="ring" r="{radius + 6:g}"/>' if marked else ""
    return (
        f'<g class="vertex{marked}" data-vertex="{vertex}" transform="translate({x:g} {y:g})">'
        f'<circle class="halo" r="{radius + 5:g}"/>{ring}'
        f'<path class="disc {colour_of(colour)}" d="{outline_of(colour)}"'
        f' transform="scale({radius:g})"/>'
        f'<text class="class" y="{radius * 0.36:.1f}" text-anchor="middle"'
        f' font-size="{_font(radius, colour):g}">{colour}</text>'
        f'<text class="name" x="{beside.x:g}" y="{beside.y:g}" text-anchor="{beside.anchor}">'
        f"{text_of(name)}</text></g>"
    )


def _font(radius: float, colour: int) -> float:
    """The number fits into its vertex."""
    return round(min(radius, radius * 2.6 / len(str(colour))), 1)
