"""Result tests use the hand-written models of the run tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "run"))
