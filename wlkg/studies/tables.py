"""The tables of a study: the data set, parameters, accuracies, comparisons and bounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wlkg.studies.answers import Answer
from wlkg.studies.comparisons import Reported, StudyResults
from wlkg.studies.facts import PLAIN, Facts
from wlkg.studies.paper_data import PAPER
from wlkg.studies.parameters import ParameterCount
from wlkg.studies.statistics import mean_interval
from wlkg.studies.study import Experiment, StudyModel
from wlkg.studies.table_formats import Cell, Column, StudyTable


def all_tables(
    results: StudyResults,
    facts: Facts,
    parameters: Sequence[ParameterCount],
    answers: Sequence[Answer],
) -> list[StudyTable]:
    """Every table that a study has."""
    tables = [data_table(results, facts), settings_table(results)]
    tables += [accuracy_table(results, facts, each) for each in results.study.experiments]
    if answers:
        tables.append(comparison_table(results, answers))
    tables.append(bounds_table(results, facts))
    if facts.reached:
        tables.append(reached_table(results, facts))
    if parameters:
        tables.append(parameter_table(results, parameters))
    return tables


def _title(results: StudyResults, text: str) -> str:
    """The title, which says so if the study is not the one that its name promises."""
    study = results.study
    changes = f" [{', '.join(study.departures)}]" if study.departures else ""
    return f"{study.title}: {text}{changes}"


def data_table(results: StudyResults, facts: Facts) -> StudyTable:
    """Table 1: what was read, beside what the paper prints."""
    graph = facts.graph
    rows: list[tuple[Cell, ...]] = [
        (
            "read",
            graph.vertices,
            graph.triples,
            graph.relations,
            graph.train,
            graph.test,
            graph.classes,
        )
    ]
    printed = PAPER[results.study.name].printed if results.study.name in PAPER else None
    if printed is not None:
        rows.append(
            (
                "paper, Table 1",
                printed.vertices,
                printed.edges,
                printed.relations,
                printed.train,
                printed.test,
                printed.classes,
            )
        )
    titles = ("vertices", "edges", "relations", "train", "test", "classes")
    columns = (Column("source"), *(Column(title, "count") for title in titles))
    return StudyTable("data", _title(results, "data set"), columns, tuple(rows))


def settings_table(results: StudyResults) -> StudyTable:
    """Table 2: the hyperparameters of every experiment, models with equal ones in one row."""
    study = results.study
    groups: dict[tuple[Cell, ...], list[str]] = {}
    for experiment in study.experiments:
        widths = ", ".join(map(str, experiment.widths))
        for model in experiment.models:
            rate = f"{model.learning_rate:g}"
            key = (experiment.name, widths, model.choice.layers, rate, model.epochs, study.seeds)
            groups.setdefault(key, []).append(model.name)
    columns = (
        Column("experiment"),
        Column("models"),
        Column("widths"),
        Column("layers", "count"),
        Column("learning rate", "count"),
        Column("epochs", "count"),
        Column("seeds", "count"),
    )
    rows = tuple((key[0], "; ".join(names), *key[1:]) for key, names in groups.items())
    note = f"Optimiser Adam, weight decay {study.weight_decay:g}, no dropout, full batch."
    return StudyTable("settings", _title(results, "hyperparameters"), columns, rows, (note,))


def accuracy_table(results: StudyResults, facts: Facts, experiment: Experiment) -> StudyTable:
    """The accuracies of an experiment, with the ceiling of each model."""
    measure = results.study.measure
    columns = (
        Column("model"),
        Column("width", "count"),
        Column("parameters", "count"),
        Column("runs", "count"),
        Column(f"{measure}, last epoch", "spread"),
        Column(f"{measure}, chosen epoch", "spread"),
        Column("best on test (optimistic)", "spread"),
        Column("train, last epoch", "spread"),
        Column("ceiling", "percent"),
    )
    rows = tuple(_accuracy_row(results, facts, experiment, *cell) for cell in experiment.cells())
    planned = len(rows) * results.study.seeds
    finished = sum(len(results.of(*cell)) for cell in experiment.cells())
    legend = (
        "Accuracy in percent: mean ± standard deviation over seeds. The chosen epoch is chosen on "
        "held-out training vertices. Best on test is what the authors' code tracks: the test "
        "vertices choose their own epoch, so it is not comparable. The ceiling is the highest "
        f"{'test' if measure == 'test' else 'train'} accuracy of any model with the same bound."
    )
    notes = [legend, f"{finished:,} of {planned:,} runs are finished."]
    failed = [
        result for cell in experiment.cells() for result in results.of(*cell) if result.failure
    ]
    if failed:
        notes.append(f"{len(failed):,} runs diverged and are left out of the means.")
    return StudyTable(
        experiment.name, _title(results, experiment.title), columns, rows, tuple(notes)
    )


def _accuracy_row(
    results: StudyResults, facts: Facts, experiment: Experiment, model: StudyModel, width: int
) -> tuple[Cell, ...]:
    runs = results.of(model, width)
    counts = [run.parameters for run in runs if run.parameters is not None]
    split = "test" if results.study.measure == "test" else "train"

    def spread(reported: Reported, of: str | None = None) -> Cell:
        scores = list(results.scores(model, width, reported, of).values())
        if not scores:
            return None
        interval = mean_interval(scores)
        return interval.mean, interval.deviation

    return (
        model.name,
        width,
        counts[0] if counts else None,
        len(runs),
        spread("last"),
        spread("chosen"),
        spread("best_on_test", "test"),
        spread("last", "train"),
        facts.bound(experiment.name, model.name).ceiling(split),
    )


def comparison_table(results: StudyResults, answers: Sequence[Answer]) -> StudyTable:
    """All paired comparisons."""
    columns = (
        Column("question"),
        Column("compared"),
        Column("with"),
        Column("decides"),
        Column("seeds", "count"),
        Column("difference", "points"),
        Column("interval", "interval"),
        Column("confidence", "percent"),
        Column("p", "p"),
    )
    rows: list[tuple[Cell, ...]] = []
    for answer in answers:
        for each in answer.comparisons:
            decides = "yes" if each.decides else "detail"
            names = (answer.question.name, each.first, each.second, decides)
            test = each.test
            if test is None:
                rows.append((*names, 0, None, (None, None), each.confidence, None))
            else:
                interval = (test.low, test.high)
                rows.append((*names, test.count, test.mean, interval, each.confidence, test.p))
    smallest = 2 / 2**results.study.seeds
    note = (
        "Differences in percentage points of the accuracy after the last epoch, paired by seed. "
        "The intervals that decide a question hold together with 95 % confidence (Student's t, "
        "Bonferroni), those of details with 95 % each. They speak of other seeds, not of other "
        "test vertices. p is the exact "
        f"sign-flip test, which with {results.study.seeds} seeds is never below {smallest:.3g}."
    )
    title = _title(results, "comparisons over seeds")
    return StudyTable("comparisons", title, columns, tuple(rows), (note,))


def bounds_table(results: StudyResults, facts: Facts) -> StudyTable:
    """The rounds that bound the models, with classes and ceilings."""
    columns = (
        Column("experiment"),
        Column("models"),
        Column("test"),
        Column("round", "count"),
        Column("classes", "count"),
        Column("train ceiling", "percent"),
        Column("test ceiling", "percent"),
    )
    rows = tuple(_bounds_rows(results, facts))
    most = ", ".join(f"{split} {100 * share:.1f} %" for split, share in facts.majority.items())
    note = (
        "A model with this bound gives the vertices of a class the same label. "
        f"Plain: CompGCN layers without directions and norm. The most frequent label: {most}."
    )
    return StudyTable("bounds", _title(results, "bounds and ceilings"), columns, rows, (note,))


def _bounds_rows(results: StudyResults, facts: Facts) -> Iterator[tuple[Cell, ...]]:
    for group in (*(each.name for each in results.study.experiments), PLAIN):
        for bound, names in facts.by_bound(group):
            ceilings = (bound.ceiling("train"), bound.ceiling("test"))
            yield group, "; ".join(names), bound.test, bound.round, bound.classes, *ceilings


def reached_table(results: StudyResults, facts: Facts) -> StudyTable:
    """The classes that random weights tell apart, with a column for each width."""
    widths = sorted({each.width for each in facts.reached})
    columns = (
        Column("model"),
        *(Column(f"width {width}", "count") for width in widths),
        Column("bound", "count"),
    )
    rows: list[tuple[Cell, ...]] = []
    for model in dict.fromkeys(each.model for each in facts.reached):
        counts = {each.width: each for each in facts.reached if each.model == model}
        bound = next(iter(counts.values())).bound
        cells = (counts[width].classes if width in counts else None for width in widths)
        rows.append((model, *cells, bound))
    note = "Classes of the features after the last layer with random weights, in float64, one draw."
    title = _title(results, "classes that untrained models tell apart")
    return StudyTable("reached", title, columns, tuple(rows), (note,))


def parameter_table(results: StudyResults, counts: Sequence[ParameterCount]) -> StudyTable:
    """Table 3: the paper's parameter counts beside those of the models as built here."""
    columns = (
        Column("model"),
        Column("width", "count"),
        Column("ours", "count"),
        Column("paper, Table 3", "count"),
        Column("paper - ours", "count"),
        Column("with an extra map", "count"),
        Column("remark"),
    )
    rows = tuple(
        (
            each.model,
            each.width,
            each.ours,
            each.paper,
            each.paper - each.ours,
            each.with_extra_map if each.model == "CompGCN" else None,
            each.remark,
        )
        for each in counts
    )
    notes = ["Ours are counted in models that were built."]
    if any(each.paper == each.with_extra_map for each in counts):
        notes.append(
            "CompGCN: all but one of the paper's numbers are ours plus a map of [h, z] to the "
            "output, with bias, in every layer, (2 in + 1) out numbers each. No formula of the "
            "paper has it, and the number at width 8 is without it."
        )
    if any(each.model == "R-GCN" and each.ours != each.paper for each in counts):
        notes.append(
            "R-GCN: the paper's numbers are (r + 1)(d² + c d) for r relations with inverses and c "
            "classes, but at width 128 it prints 40 more."
        )
    return StudyTable("parameters", _title(results, "parameters"), columns, rows, tuple(notes))
