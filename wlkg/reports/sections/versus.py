"""The section of ``wlkg versus``: a model against the test that bounds it, layer by layer."""

from __future__ import annotations

from wlkg.reports.blocks import Block, Chart, Column, Details, Paragraph, Section, Series, Table
from wlkg.reports.fields import Fields
from wlkg.reports.results import Result
from wlkg.reports.sections.marks import marks
from wlkg.reports.sections.views import view
from wlkg.reports.sections.words import Names, file_name, listed, titled

_HOLDS = {True: "holds", False: "violated", None: "undecided"}


def versus_section(result: Result) -> Section:
    """Whether the bound holds, what is lost, the pair that shows it, and the numbers of layers."""
    fields, names = result.fields, Names.of(result)
    layers = fields.many("layers")
    telling = _telling_pair(layers)
    charts = (_classes_chart(fields, layers), _distances_chart(layers))
    blocks: list[Block] = [Paragraph(_answer(fields, layers, names), "verdict")]
    if fields.has("warnings"):
        blocks += [Paragraph(text, "warning") for text in fields.texts("warnings")]
    blocks += [Paragraph(text, "note") for text in _notes(fields)]
    graph = view(result.graphs, tests=_tests(fields), marked=marks(result.graphs, telling))
    blocks += graph.drawing
    if len(layers) > 1:
        blocks += charts
    blocks.append(_layers_table("Layers", layers))
    if fields.has("against"):
        blocks += _own_blocks(fields.many("against"))
    if fields.has("draws"):
        blocks += _draws(fields.many("draws"))
    blocks += graph.folded
    title = titled(fields.text("graph"), f"{file_name(fields.text('model'))}")
    return Section(f"{title} against {fields.text('test')}", tuple(blocks), figure=charts)


def _tests(fields: Fields) -> tuple[str, ...]:
    """The test of the verdict, and 1-rwl beside it for own models."""
    tests = [fields.text("test")]
    if fields.has("against"):
        tests += [each.text("test") for each in fields.many("against")]
    return tuple(dict.fromkeys(tests))


def _answer(fields: Fields, layers: list[Fields], names: Names) -> str:
    """Whether the bound holds, and what is lost, with a pair for each."""
    test, holds = fields.text("test"), fields.maybe(fields.truth, "bound_holds")
    if _sees_more_than_the_graph(fields):
        return "No test bounds the model: its features depend on more than the graph."
    if holds is None:
        bound = "Undecided: some features are too close to rounding."
    elif holds:
        bound = f"The bound holds: no layer sees more than {test}."
    else:
        bound = f"The bound is violated: the model sees more than {test}."
    return " ".join([bound, *_split(layers, test, names), *_lost(fields, layers, test, names)])


def _sees_more_than_the_graph(fields: Fields) -> bool:
    if fields.maybe(fields.truth, "sees_graph_only") is False:
        return True
    keys = ("random", "identity_leak", "order_dependent")
    return any(fields.maybe(fields.truth, key) for key in keys)


def _split(layers: list[Fields], test: str, names: Names) -> list[str]:
    for layer in layers:
        if layer.maybe(layer.truth, "bound_holds") is False and layer.has("split"):
            one, two = map(names.vertex, layer.pair("split"))
            return [f"Layer {layer.whole('layer'):,} separates {one} and {two}; {test} does not."]
    return []


def _lost(fields: Fields, layers: list[Fields], test: str, names: Names) -> list[str]:
    if fields.maybe(fields.truth, "matches"):
        return [f"Nothing is lost: every layer sees all that {test} sees."]
    for key, text in (
        ("merged", "gives equal features to {} and {}, which {} separates: something is lost."),
        ("unclear", "is too close to rounding for {} and {}: what {} sees may be lost."),
    ):
        for layer in layers:
            if layer.has(key):
                pair = map(names.vertex, layer.pair(key))
                return [f"Layer {layer.whole('layer'):,} {text.format(*pair, test)}"]
    return []


def _telling_pair(layers: list[Fields]) -> tuple[str, str] | None:
    """The pair that violates the bound, or else the first that is lost or unclear."""
    for key in ("split", "merged", "unclear"):
        for layer in layers:
            if layer.has(key):
                return layer.pair(key)
    return None


def _notes(fields: Fields) -> list[str]:
    notes = []
    if fields.maybe(fields.whole, "rounds_later"):
        notes.append(
            "Messages divided by degrees show the neighbours' degrees: layer t is compared with"
            " round t + 1."
        )
    if fields.text("test") == "mean-rwl":
        notes.append("Means see shares of colours only: 1-rwl may see more than mean-rwl.")
    if fields.maybe(fields.truth, "per_layer") is False:
        notes.append("The model returns its last features only, which are compared with one round.")
    if fields.has("matching_tests") and len(fields.texts("matching_tests")) > 1:
        notes.append(f"On this graph the model matches {listed(fields.texts('matching_tests'))}.")
    if fields.has("left_out") and fields.one("left_out").texts("relations"):
        left_out = fields.one("left_out")
        relations = listed(left_out.texts("relations"))
        notes.append(f"Left out: {left_out.whole('triples'):,} triples of {relations}.")
    return notes


def _classes_chart(fields: Fields, layers: list[Fields]) -> Chart:
    def points(key: str) -> tuple[tuple[float, float], ...]:
        return tuple((layer.whole("layer"), layer.whole(key)) for layer in layers)

    test = Series(f"{fields.text('test')}", points("wl_classes"), "bound")
    model = Series("model", points("model_classes"))
    title = "Classes of the model and of the test"
    return Chart(title, "layer", "classes", (model, test), style="count")


def _distances_chart(layers: list[Fields]) -> Chart:
    """Spread within classes and gap between them."""
    series = []
    for name, key in (
        ("smallest gap between classes", "min_gap"),
        ("largest spread in a class", "max_spread"),
        ("noise of rounding", "noise"),
    ):
        points = tuple((layer.whole("layer"), layer.maybe(layer.number, key)) for layer in layers)
        series.append(Series(name, points))
    title = "Spread and gap of features"
    return Chart(title, "layer", "distance", tuple(series), log_y=True, style="scientific")


def _layers_table(title: str, layers: list[Fields]) -> Table:
    columns = (
        *(Column(name, "count") for name in ("layer", "round", "test classes", "model classes")),
        Column("relation"),
        *(Column(name, "scientific") for name in ("spread", "gap", "noise")),
        Column("decided exactly"),
    )
    counts = ("layer", "round", "wl_classes", "model_classes")
    distances = ("max_spread", "min_gap", "noise")
    rows = tuple(
        (
            *map(layer.whole, counts),
            layer.text("relation"),
            *(layer.maybe(layer.number, key) for key in distances),
            layer.maybe(layer.truth, "exact"),
        )
        for layer in layers
    )
    note = (
        "equal: the layer sees exactly what the test sees; coarser: something is lost; finer: the"
        " bound is violated. Spread: the largest difference of features within a class of the test;"
        " gap: the smallest between classes of the model."
    )
    return Table(title, columns, rows, note=note)


def _own_blocks(against: list[Fields]) -> list[Block]:
    """A row for each test that an own model was compared with, and the layers of each."""
    rows = tuple(
        (
            each.text("test"),
            each.maybe(each.text, "relation"),
            _HOLDS[each.maybe(each.truth, "bound_holds")],
            each.maybe(each.truth, "matches"),
        )
        for each in against
    )
    titles = ("test", "the model is", "bound", "matches")
    table = Table("Against each test", tuple(map(Column, titles)), rows)
    layers = tuple(_layers_table(each.text("test"), each.many("layers")) for each in against)
    return [table, Details("Layers against each test", layers)]


def _draws(draws: list[Fields]) -> list[Block]:
    if len(draws) < 2:
        return []
    tables = tuple(_layers_table(draw.text("weights"), draw.many("layers")) for draw in draws)
    return [Details("Each choice of weights", tables)]
