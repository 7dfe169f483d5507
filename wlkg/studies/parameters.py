"""Parameter counts beside the paper's Table 3.

Ours are counted in models that are built for this purpose. The paper's numbers agree with them but
for two slips:

- R-GCN at width 128 is printed as 1,537,576. All other entries follow (r + 1)(d^2 + c d) for r
  relations and c classes, which is 40 less.
- CompGCN is printed with an additional map of [h, z] to the output, with bias, in every layer,
  which no formula of the paper has; at width 8, and on AM, it is printed without.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from wlkg.gnn.config import ModelConfig
from wlkg.studies.facts import GraphFacts
from wlkg.studies.paper_data import PaperStudy
from wlkg.studies.study import Experiment, Study, StudyModel


@dataclass(frozen=True)
class ParameterCount:
    """The parameters of a model at a width: ours and the paper's."""

    model: str
    width: int
    ours: int
    paper: int
    #: Ours with an additional map of [h, z] to the output in every layer.
    with_extra_map: int

    @property
    def remark(self) -> str:
        if self.ours == self.paper:
            return "equal"
        if self.paper == self.with_extra_map:
            return "the paper counts an extra map 2d → out with bias in each layer"
        return f"the paper prints {self.paper - self.ours:+,}: a slip, see below"


def check_models(study: Study, graph: GraphFacts) -> None:
    """Build every model of a resolved study, so that one that cannot be built is refused now."""
    for experiment in study.experiments:
        for model, width in experiment.cells():
            if model.choice.model != "k-rn":  # its size depends on the tuples of the graph
                count(_config(model, width, graph))


def count(config: ModelConfig) -> int:
    """The number of parameters of a model on vertices, counted in the model."""
    from wlkg.gnn.models.parameters import count_parameters
    from wlkg.gnn.models.vertex_model import VertexModel

    return count_parameters(VertexModel(config))


def against_paper(
    experiments: Sequence[Experiment], graph: GraphFacts, paper: PaperStudy
) -> Iterator[ParameterCount]:
    """The counts of all models and widths for which the paper prints one."""
    printed = {} if paper.printed is None else paper.printed.parameters
    models: dict[str, StudyModel] = {}
    for model in experiments[0].models:
        models.setdefault(model.choice.model, model)
    for kind, by_width in printed.items():
        for width, number in by_width.items():
            if kind in models:
                config = _config(models[kind], width, graph)
                ours = count(config)
                yield ParameterCount(
                    model=models[kind].name.partition(",")[0],
                    width=width,
                    ours=ours,
                    paper=number,
                    with_extra_map=ours + _extra_map(config),
                )


def _extra_map(config: ModelConfig) -> int:
    pairs = itertools.pairwise(config.widths)
    return sum((2 * before + 1) * after for before, after in pairs)


def _config(model: StudyModel, width: int, graph: GraphFacts) -> ModelConfig:
    return graph.config(replace(model.choice, width=width))
