"""Writing graphs to files; a file is written completely or not at all."""
