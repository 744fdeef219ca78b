"""Results made by hand are those of the result tests."""

import sys
from pathlib import Path

for folder in ("run", "result"):
    sys.path.insert(0, str(Path(__file__).parent.parent / folder))
