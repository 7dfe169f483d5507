"""Kernels: functions that run compiled where that pays, their cache, and the time it takes."""
