"""Large graphs: what their classes look like, instead of a drawing of every vertex."""

from __future__ import annotations

from collections.abc import Sequence

from wlkg.catalogue import VertexTest, find_test
from wlkg.refinement.results import Refinement
from wlkg.reports.blocks import Block, Chart, Paragraph, Series
from wlkg.reports.pictures.class_sizes import class_sizes_chart, largest_classes_table
from wlkg.reports.pictures.context import context_drawing
from wlkg.reports.pictures.neighbourhoods import neighbourhoods_of
from wlkg.reports.pictures.quotient import quotient_drawing
from wlkg.reports.pictures.whole_classes import WholeClasses, affordable, refined
from wlkg.reports.results import NamedGraph

#: Tests with more tuples than this are not run again for a picture.
_MOST_TUPLES = 2_000_000


def overview_of(
    graphs: Sequence[NamedGraph],
    tests: Sequence[str],
    rounds: int | None,
    marked: Sequence[tuple[int, int]],
) -> tuple[Block, ...]:
    """Classes per round, their sizes, the largest of them, and a search over entities."""
    own = tuple(named.graph for named in graphs)
    shown = [test for test in dict.fromkeys(tests) if affordable(own, test, _MOST_TUPLES)]
    left = [test for test in dict.fromkeys(tests) if test not in shown]
    if not shown:
        return (Paragraph(f"Too large to be shown here: {', '.join(left)}.", "note"),)
    runs = {test: refined(own, test, rounds) for test in shown}
    separating = [test for test in shown if runs[test].differs_at is not None]
    of_vertices = [test for test in shown if isinstance(find_test(test), VertexTest)]
    chosen = (separating[:1] or of_vertices[-1:] or shown[-1:])[0]
    classes = WholeClasses(own, chosen, runs[chosen].vertices.partition())
    blocks: list[Block] = []
    if marked:
        blocks += context_drawing(graphs, runs[chosen], marked)
    if len(shown) > 1:
        blocks.append(_rounds(runs))
    blocks += [class_sizes_chart(classes), *_of_one(classes, marked)]
    blocks.append(largest_classes_table(classes))
    if left:
        blocks.append(Paragraph(f"Too large to be shown here: {', '.join(left)}.", "note"))
    return tuple(blocks)


def _rounds(runs: dict[str, Refinement]) -> Chart:
    """The classes of vertices of several tests, round by round."""
    series = tuple(
        Series(test, tuple(enumerate(run.vertices.classes_per_round.tolist())))
        for test, run in runs.items()
    )
    return Chart("Classes of vertices per round", "round", "classes", series, style="count")


def _of_one(classes: WholeClasses, marked: Sequence[tuple[int, int]]) -> list[Block]:
    """What is only shown of a single graph: its quotient, and a search over entities."""
    if len(classes.graphs) > 1:
        return []
    quotient = quotient_drawing(classes)
    search = neighbourhoods_of(classes, [vertex for _, vertex in marked])
    return [search] if quotient is None else [quotient, search]
