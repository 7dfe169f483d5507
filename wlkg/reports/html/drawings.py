"""Drawings: one or two graphs with their controls, and what the script needs to know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wlkg.catalogue import VertexTest, find_test
from wlkg.reports.blocks import Colouring, Drawing
from wlkg.reports.html.canvas import canvas_of
from wlkg.reports.html.escaping import cut, text_of
from wlkg.reports.html.graph_svg import GraphPicture, around, graph_picture
from wlkg.reports.html.signs import dashes_of, outlines, relation_class

Add = Callable[[str, Any], str]

#: Wider drawings scroll on a phone, instead of shrinking until nothing can be read.
_WIDE = 620
#: Small graphs are enlarged at most this much, however wide the page is.
_LARGEST_SCALE = 1.7
#: The most relations that the legend lists at once.
_MOST_RELATIONS = 24


def drawing_html(drawing: Drawing, add: Add) -> str:
    """The drawing in the colours of its most telling round, and the controls of the script."""
    chosen = _first_shown(drawing)
    start = _start_round(drawing, chosen)
    name = add("drawing", _data(drawing, chosen, start))
    canvas = canvas_of(drawing.graphs)
    pictures = [
        graph_picture(drawing, i, canvas, _colours(drawing, i, chosen, start))
        for i in range(len(drawing.graphs))
    ]
    # All graphs are shown from the same left to the same right, and so at the same scale.
    left, _, right, _ = around([picture.box for picture in pictures], margin=0)
    width = _shown_width(drawing, pictures, right - left)
    graphs = "".join(
        f'<div class="panel"><h3 dir="auto">{text_of(graph.name)}</h3>'
        f"{picture.svg(left, right, width)}</div>"
        for graph, picture in zip(drawing.graphs, pictures, strict=True)
    )
    count = "two" if len(drawing.graphs) > 1 else "one"
    if any(graph.sizes for graph in drawing.graphs):
        count += " quotient"
    size = "wide" if right - left > _WIDE else "small"
    return (
        f'<figure class="drawing {count} {size}" id="{name}">'
        f"{_caption(drawing)}"
        f'{_controls(drawing)}<p class="verdict-line" aria-live="polite"></p>'
        f'<div class="stage"><div class="graphs">{graphs}{_legend(drawing)}</div>'
        f'<div class="side"><div class="why" aria-live="polite"></div>'
        f'<div class="histogram"></div></div></div>'
        f'<div class="tip-box" role="tooltip" hidden></div></figure>\n'
    )


def _shown_width(drawing: Drawing, pictures: Sequence[GraphPicture], width: float) -> int:
    """The width of each graph on a wide page, so that none is too high for a screen."""
    height = max((picture.box[3] - picture.box[1] for picture in pictures), default=1.0)
    is_quotient = any(graph.sizes for graph in drawing.graphs)
    highest = 820 if is_quotient else 500 if len(drawing.graphs) > 1 else 640
    return round(width * min(_LARGEST_SCALE, highest / height))


def _caption(drawing: Drawing) -> str:
    """The title, unless it only repeats what stands above the graphs."""
    names = " and ".join(graph.name for graph in drawing.graphs)
    return "" if drawing.title == names else f"<figcaption>{text_of(drawing.title)}</figcaption>"


def _first_shown(drawing: Drawing) -> int:
    """The first test that separates the graphs, otherwise the last one of vertices."""
    for i, colouring in enumerate(drawing.colourings):
        if colouring.separated_at is not None:
            return i
    of_vertices = [i for i, each in enumerate(drawing.colourings) if each.of == "vertices"]
    return of_vertices[-1] if of_vertices else 0


def _start_round(drawing: Drawing, chosen: int) -> int:
    """The round that separates the graphs, otherwise the last."""
    if not drawing.colourings:
        return 0
    colouring = drawing.colourings[chosen]
    last = len(colouring.rounds) - 1
    return last if colouring.separated_at is None else min(colouring.separated_at, last)


def _colours(drawing: Drawing, graph: int, chosen: int, start: int) -> tuple[int, ...]:
    if not drawing.colourings:
        return (1,) * len(drawing.graphs[graph].vertices)
    return drawing.colourings[chosen].rounds[start][graph]


def _data(drawing: Drawing, chosen: int, start: int) -> dict[str, Any]:
    return {
        "graphs": [
            {
                "name": graph.name,
                "vertices": graph.vertices,
                "labels": graph.labels,
                "triples": graph.triples,
                "sizes": graph.sizes,
                "counts": graph.counts,
                "partial": graph.partial,
            }
            for graph in drawing.graphs
        ],
        "relations": drawing.relations,
        "direction": drawing.direction,
        "colourings": [_colouring(colouring) for colouring in drawing.colourings],
        "marked": drawing.marked,
        "isPart": drawing.is_part,
        "outlines": outlines(),
        "chosen": chosen,
        "start": start,
    }


def _colouring(colouring: Colouring) -> dict[str, Any]:
    test = find_test(colouring.test)
    sees = {}
    if isinstance(test, VertexTest):
        sees = {
            "relations": test.sees_relations,
            "degrees": test.sees_degrees,
            "shares": test.sees_shares,
            "all": test.sees_all,
        }
    return {
        "test": colouring.test,
        "of": colouring.of,
        "summary": test.summary,
        "sees": sees,
        "rounds": colouring.rounds,
        "separated": colouring.separated_at,
    }


def _controls(drawing: Drawing) -> str:
    """The controls, which the script shows."""
    if not drawing.colourings:
        return ""
    tests = "".join(
        f'<option value="{i}">{text_of(_option(drawing, colouring))}</option>'
        for i, colouring in enumerate(drawing.colourings)
    )
    chooser = (
        f'<label class="test">Test <select>{tests}</select></label>'
        if len(drawing.colourings) > 1
        else ""
    )
    several = len(drawing.relations) > 1
    relations = '<label><input type="checkbox" class="show-relations"> relations</label>'
    return (
        f'<div class="controls" role="group" aria-label="Rounds and search" hidden>{chooser}'
        '<span class="rounds"><button type="button" class="play tool">Play</button>'
        f'<input type="range" min="0" max="0" value="0" step="1" aria-label="Round"'
        f"><output>round 0</output></span>"
        '<input type="search" class="search" placeholder="Find a vertex"'
        ' aria-label="Find a vertex"><span class="matches" aria-live="polite"></span>'
        '<span class="shows"><label><input type="checkbox" class="show-names"> names</label>'
        f"{relations if several else ''}</span></div>"
    )


def _option(drawing: Drawing, colouring: Colouring) -> str:
    """A test in the list of tests, with its verdict on two graphs."""
    if len(drawing.graphs) < 2 or drawing.is_part:
        return colouring.test
    if colouring.separated_at is None:
        return f"{colouring.test}: same"
    return f"{colouring.test}: differs at round {colouring.separated_at}"


def _legend(drawing: Drawing) -> str:
    """The relations with their lines."""
    if not drawing.relations:
        return ""
    entries = "".join(
        f'<li><svg class="swatch {relation_class(i)}" viewBox="0 0 36 12" aria-hidden="true">'
        f'<path class="line" d="M1 6H35"{dashes_of(i)}/></svg>'
        f'<bdi title="{text_of(relation)}">{text_of(cut(relation, 40))}</bdi></li>'
        for i, relation in enumerate(drawing.relations[:_MOST_RELATIONS])
    )
    left = len(drawing.relations) - _MOST_RELATIONS
    more = f"<li>and {left} more</li>" if left > 0 else ""
    return f'<ul class="legend relations" aria-label="Relations">{entries}{more}</ul>'
