"""Faults: a file system that fails at the n-th operation, and processes that are killed.

===============  =================================================================================
`disk`           makes the n-th operation on files fail
`commands`       command lines that write, each of which is put to the test
`kill`           a program: kill runs at random moments, then run them again
===============  =================================================================================
"""
