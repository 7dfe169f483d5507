"""The section of ``wlkg explain``: why vertices or graphs are separated, what selects a class."""

from __future__ import annotations

from wlkg.reports.blocks import Block, Code, Column, Paragraph, Picture, Section, Table
from wlkg.reports.fields import Fields
from wlkg.reports.results import Result
from wlkg.reports.sections.explain_blocks import formula_blocks, plain
from wlkg.reports.sections.explain_rules import rules_section
from wlkg.reports.sections.marks import marks
from wlkg.reports.sections.views import view
from wlkg.reports.sections.words import Names, counted, file_name, listed, titled

#: Larger graphs are not explained a second time to draw their trees.
_MOST_TRIPLES = 200_000
#: The most members of a class that are pointed out.
_MOST_MARKED = 12


def explain_section(result: Result) -> Section:
    """Whatever is explained."""
    fields = result.fields
    if not fields.has("kind"):
        return rules_section(result)
    kinds = {"pair": _pair, "class": _class, "graphs": _graphs}
    kind = fields.text("kind")
    if kind not in kinds:
        raise fields.wrong("kind", listed(list(kinds)), kind)
    return kinds[kind](result, fields)


def _pair(result: Result, fields: Fields) -> Section:
    names, test = Names.of(result), fields.text("test")
    vertices = fields.pair("vertices")
    one, two = map(names.vertex, vertices)
    t = fields.maybe(fields.whole, "round")
    rounds = None if t is None else t + 1
    drawn = view(result.graphs, tests=(test,), rounds=rounds, marked=marks(result.graphs, vertices))
    if t is None:
        answer = f"{test} does not separate {one} and {two}. {_alike(fields)}"
        blocks: list[Block] = [Paragraph(answer, "verdict"), *drawn.drawing]
    else:
        answer = f"{test} separates {one} and {two} at round {t:,}."
        if fields.has("english"):
            answer += f" {plain(fields.text('english'))}"
        blocks = [Paragraph(answer, "verdict"), *_trees(result, fields, vertices)]
        blocks += drawn.drawing
        blocks += [
            *_formula(fields, f"SPARQL that selects the class of {one}"),
            *_class_size(fields, one, t),
            *_tuple_class(fields, f"begin with {one}", f"begin with {two}"),
        ]
    blocks += drawn.folded
    return Section(titled(fields.text("graph"), f"{one} and {two}"), tuple(blocks))


def _graphs(result: Result, fields: Fields) -> Section:
    test, t = fields.text("test"), fields.maybe(fields.whole, "round")
    names = [file_name(graph.name) for graph in result.graphs] or [file_name(fields.text("graph"))]
    drawn = view(result.graphs, tests=(test,))
    if t is None:
        answer = f"{test} does not separate the graphs. {_alike(fields)}"
        blocks: list[Block] = [Paragraph(answer, "verdict"), *drawn.drawing]
    else:
        answer = f"{test} separates the graphs at round {t:,}."
        if fields.has("english"):
            answer += f" {plain(fields.text('english'))}"
        blocks = [Paragraph(answer, "verdict"), *drawn.drawing, *_formula(fields)]
        blocks += _tuple_class(fields, "are in the first graph", "are in the second")
    blocks += drawn.folded
    return Section(f"{listed(names)}: {test}", tuple(blocks))


def _class(result: Result, fields: Fields) -> Section:
    names, test, t = Names.of(result), fields.text("test"), fields.whole("round")
    name, members = names.vertex(fields.text("vertex")), fields.texts("members")
    size = counted(fields.whole("class_size"), "vertex", "vertices")
    classes = counted(fields.whole("classes"), "class", "classes")
    answer = f"{name} is in a class of {size}, one of {classes} of {test} at round {t:,}."
    if fields.has("english"):
        alone = fields.whole("class_size") == 1
        these = "This vertex alone" if alone else "Each of them, and no other vertex,"
        answer += f" {these} {plain(fields.text('english'))}."
    marked = marks(result.graphs, members[:_MOST_MARKED])
    drawn = view(result.graphs, tests=(test,), rounds=t, marked=marked)
    blocks: list[Block] = [
        Paragraph(answer, "verdict"),
        *drawn.drawing,
        *_formula(fields),
        _members_table(members, names),
    ]
    nearest = fields.many("nearest")
    if nearest:
        blocks.append(_nearest_table(nearest, names))
    blocks += drawn.folded
    return Section(titled(fields.text("graph"), f"the class of {name}"), tuple(blocks))


def _formula(fields: Fields, query_title: str | None = None) -> list[Block]:
    """The formula in its languages, without the English sentence of the answer."""
    blocks = [block for block in formula_blocks(fields) if not _is_plain(block)]
    if query_title is None:
        return blocks
    return [
        Code(block.text, query_title, block.language)
        if isinstance(block, Code) and block.language == "sparql"
        else block
        for block in blocks
    ]


def _is_plain(block: Block) -> bool:
    return isinstance(block, Paragraph) and block.kind == "plain"


def _trees(result: Result, fields: Fields, vertices: tuple[str, str]) -> list[Block]:
    """Where the unfolding trees of two vertices part, drawn from the graph."""
    if not result.graphs or result.graphs[0].graph.num_triples > _MOST_TRIPLES:
        return []
    from wlkg.analysis.explanation.explain import explain
    from wlkg.analysis.explanation.pair import PairExplanation
    from wlkg.reports.explain_words import Explained
    from wlkg.reports.unfolding_svg import unfolding_svg

    graph, test = result.graphs[0].graph, fields.text("test")
    prefixes = fields.one("prefixes") if fields.has("prefixes") else None
    explained = Explained(
        graph,
        test,
        {} if prefixes is None else {key: prefixes.text(key) for key in prefixes.content},
    )
    if any(graph.find_vertex(name) is None for name in vertices):
        return []
    pair = explain(graph, *vertices, test=test)
    trees = explained.unfolding(pair) if isinstance(pair, PairExplanation) else None
    if trees is None:
        return []
    return [Picture("Where the unfolding trees part", unfolding_svg(trees, explained.setting))]


def _class_size(fields: Fields, name: str, t: int) -> list[Block]:
    size = fields.maybe(fields.whole, "class_size")
    if size is None:
        return []
    others = counted(size - 1, "other vertex", "other vertices")
    shared = f"{name} shares its class of round {t:,} with {others}."
    alone = f"{name} is alone in its class of round {t:,}."
    return [Paragraph(shared if size > 1 else alone)]


def _tuple_class(fields: Fields, first: str, second: str) -> list[Block]:
    if not fields.has("tuple_class"):
        return []
    found = fields.one("tuple_class")
    counts = found.wholes("counts")
    if len(counts) != 2:
        raise found.wrong("counts", "a list of two whole numbers", counts)
    tuple_names = ", ".join(found.texts("representative"))
    text = f"The class of ({tuple_names}) has {counts[0]:,} tuples that {first} and {counts[1]:,}"
    return [Paragraph(f"{text} that {second}.")]


def _alike(fields: Fields) -> str:
    """Whether anything could separate what the test does not."""
    symmetric = fields.maybe(fields.truth, "symmetric")
    if symmetric:
        return "A symmetry maps one to the other, so no test and no invariant model separates them."
    others = fields.many("other_tests") if fields.has("other_tests") else []
    for other in others:
        if other.maybe(other.whole, "round") is not None:
            return f"{other.text('test')} separates them, at round {other.whole('round'):,}."
    tried = [other.text("test") for other in others if not other.has("skipped")]
    open_ = "" if symmetric is False else "Whether a symmetry maps one to the other is open. "
    return open_ + (f"Nor does {listed(tried)}." if tried else "")


def _members_table(members: list[str], names: Names) -> Table:
    rows = tuple((names.vertex(member),) for member in members)
    return Table("Members of the class", (Column("vertex"),), rows, searchable=len(rows) > 10)


def _nearest_table(nearest: list[Fields], names: Names) -> Table:
    rows = tuple(
        (names.vertex(near.text("vertex")), near.whole("class_size"), near.whole("round"))
        for near in nearest
    )
    columns = (
        Column("a vertex of it"),
        Column("size", "count"),
        Column("separated at round", "count"),
    )
    return Table("Nearest other classes", columns, rows)
