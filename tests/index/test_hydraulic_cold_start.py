"""Square-root flows from zero without start values: the slope there is infinite, in the inverse law zero."""

from __future__ import annotations

import pytest
from hydraulic_models import check_bridge
from integrators import Simulate


@pytest.mark.parametrize("law", ["raw", "inverse"])
def test_flows_without_start_values(simulate: Simulate, law: str) -> None:
    check_bridge(simulate, law, "")
