"""The options that several commands share, each declared once.

A command declares a parameter ``reading: Reading`` and is decorated with `reads_graphs`. On the
command line it then has all reading options; in the function they arrive as one value that can
read graphs. ``model_options: ModelOptions`` and `takes_model` do the same for models.
"""

from wlkg.commands.options.engine import (
    CheckpointOption,
    DeviceOption,
    EngineOption,
    MasterOption,
    check_engine_options,
    engine_in_memory,
)
from wlkg.commands.options.model import ModelOptions, takes_model
from wlkg.commands.options.outputs import (
    Outputs,
    OutputsWithFigure,
    has_outputs,
    has_outputs_with_figure,
)
from wlkg.commands.options.reading import Reading, reads_graphs
from wlkg.commands.options.single import (
    ActivationOption,
    AmongOption,
    EntityColumnOption,
    ExitZeroOption,
    FeaturesOption,
    ForceOption,
    GraphArgument,
    HoldoutOption,
    JsonOption,
    LabelColumnOption,
    MemoryOption,
    OptionalTargetsOption,
    PrefixOption,
    SourcesOption,
    TargetsOption,
    TestOption,
    UnknownRelationsOption,
    check_tests,
    listed,
    memory_limit,
    target_words,
    tests_option,
)

__all__ = [
    "ActivationOption",
    "AmongOption",
    "CheckpointOption",
    "DeviceOption",
    "EngineOption",
    "EntityColumnOption",
    "ExitZeroOption",
    "FeaturesOption",
    "ForceOption",
    "GraphArgument",
    "HoldoutOption",
    "JsonOption",
    "LabelColumnOption",
    "MasterOption",
    "MemoryOption",
    "ModelOptions",
    "OptionalTargetsOption",
    "Outputs",
    "OutputsWithFigure",
    "PrefixOption",
    "Reading",
    "SourcesOption",
    "TargetsOption",
    "TestOption",
    "UnknownRelationsOption",
    "check_engine_options",
    "check_tests",
    "engine_in_memory",
    "has_outputs",
    "has_outputs_with_figure",
    "listed",
    "memory_limit",
    "reads_graphs",
    "takes_model",
    "target_words",
    "tests_option",
]
