"""Garbage collection is put off, and comes back."""

from __future__ import annotations

import gc

import pytest

from saltus.core.collection import put_off


def test_nothing_is_collected_meanwhile_and_everything_afterwards() -> None:
    assert gc.isenabled()
    with put_off():
        assert not gc.isenabled()
        with put_off():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_comes_back_after_an_error() -> None:
    @put_off()
    def fails() -> None:
        assert not gc.isenabled()
        raise ValueError

    for _ in range(2):
        with pytest.raises(ValueError):
            fails()
        assert gc.isenabled()


def test_who_has_turned_it_off_finds_it_off() -> None:
    gc.disable()
    try:
        with put_off():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
