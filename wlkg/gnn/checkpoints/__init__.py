"""Models on disk: a file is written completely or not at all, and read as data, never as code."""
