"""The command line of `judge`."""

from __future__ import annotations

import sys

from tools.obedience.judge import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
