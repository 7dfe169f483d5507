"""The commands, grouped by what one wants to know; the help lists them in this order.

The command ``fetch-data`` is the function ``fetch_data`` of ``wlkg.commands.fetch_data``.
It is imported when it is used: the help of the program needs its summary only, which is the first
line of its docstring.
"""

from __future__ import annotations

GROUPS: dict[str, dict[str, str]] = {
    "Look at a graph": {
        "info": "Show the vertices, triples and relations of a graph.",
        "estimate": "Estimate the memory and time that a WL test would need.",
        "refine": "Run a WL test on a graph, round by round.",
        "classes": "List groups of vertices that a WL test cannot tell apart.",
        "relations": "List the relations that a foundation model cannot tell apart.",
        "pairs": "List the vertex pairs that a WL test separates.",
        "symmetry": "Show whether any model could separate more than a WL test.",
    },
    "Compare graphs": {
        "compare": "Show which WL tests and models separate two graphs.",
        "hierarchy": "Count the pairs of graphs in a corpus that tests separate.",
        "counterexample": "Show graphs that tests cannot tell apart, and check claims.",
    },
    "Explain and prove": {
        "explain": "Explain why vertices or graphs differ, or what a model does.",
        "certify": "Write evidence for an answer, which verify can check.",
        "verify": "Check the evidence that certify wrote, independently.",
    },
    "Models": {
        "ceiling": "Show how accurate a model can be on given labels at best.",
        "train": "Train a model on classes of vertices or graphs, or on links.",
        "predict": "Predict classes with a trained model.",
        "versus": "Compare a model with the WL test that bounds it.",
        "witness": "Construct weights with which a model equals its WL test.",
        "translate": "Turn a model into one of another kind with equal outputs.",
        "reproduce": "Run a study of the paper, or one of your own.",
    },
    "Data and reports": {
        "example": "List the built-in graphs, or write one to a file.",
        "fetch-data": "Fetch a data set of the paper, and check its content.",
        "convert": "Write a graph in another format.",
        "generate": "Write a graph of any size: like a real one, or by a rule.",
        "report": "Put saved results together on one page.",
    },
}

#: Every command with its summary.
COMMANDS = {name: summary for group in GROUPS.values() for name, summary in group.items()}
