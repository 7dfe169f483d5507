"""What the shell shows of the program: help, completion, and the options of every command."""
