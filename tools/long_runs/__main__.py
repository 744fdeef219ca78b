"""The command line of `runs`."""

from __future__ import annotations

import sys

from tools.long_runs.runs import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
