"""The fuzzer: damaged inputs of every kind, each of which must be accepted or refused.

===================  =============================================================================
`case`               an input: a file, its name, and what to do with it
`mutators`           damage to bytes and tokens; `structures` to lines, trees and containers
`seeds`              undamaged documents of every kind
`kinds`              the table of kinds of input, and what is called with each
`inputs`             input number i of a seed, always the same
`trial`              one input is tried, and what is wrong with the outcome
`worker`, `watch`    a process that tries thousands of inputs, and the one that watches it
`minimise`           a finding made small
``corpus/``          every finding ever, replayed by ``test_corpus.py``
===================  =============================================================================

``python -m tests.fuzz --inputs 100000 --seed 7`` runs it.
"""
