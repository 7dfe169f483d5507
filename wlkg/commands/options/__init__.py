"""The options that several commands share, each declared once.

A command declares a parameter ``reading: Reading`` and is decorated with `reads_graphs`. On the
command line it then has all reading options; in the function they arrive as one value that can
read graphs. ``model_options: ModelOptions`` and `takes_model` do the same for models.
"""

from wlkg.commands.options.model import ModelOptions, takes_model
from wlkg.commands.options.reading import Reading, reads_graphs
from wlkg.commands.options.single import (
    ActivationOption,
    AmongOption,
    EntityColumnOption,
    ExitZeroOption,
    FeaturesOption,
    GraphArgument,
    HoldoutOption,
    JsonOption,
    LabelColumnOption,
    MemoryOption,
    TargetsOption,
    TestOption,
    UnknownRelationsOption,
    check_tests,
    listed,
    memory_limit,
    tests_option,
)

__all__ = [
    "ActivationOption",
    "AmongOption",
    "EntityColumnOption",
    "ExitZeroOption",
    "FeaturesOption",
    "GraphArgument",
    "HoldoutOption",
    "JsonOption",
    "LabelColumnOption",
    "MemoryOption",
    "ModelOptions",
    "Reading",
    "TargetsOption",
    "TestOption",
    "UnknownRelationsOption",
    "check_tests",
    "listed",
    "memory_limit",
    "reads_graphs",
    "takes_model",
    "tests_option",
]
