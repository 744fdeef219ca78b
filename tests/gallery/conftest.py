"""References of friction are those of the tests of modes; what is read from runs, those of the papers."""

import sys
from pathlib import Path

for folder in ("modes", "papers"):
    sys.path.insert(0, str(Path(__file__).parent.parent / folder))
