"""Tests of lowering. With this file here, pytest finds the helpers of this folder from its rooms, too."""
