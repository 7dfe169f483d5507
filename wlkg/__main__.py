"""``python -m wlkg``."""

from wlkg.cli import main

main()
