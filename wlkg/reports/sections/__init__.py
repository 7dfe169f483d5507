"""What each command has to say about its result: sections of blocks, one module per command."""
