"""CVODE through ctypes, with call-backs compiled here, against closed forms."""

import ctypes
import gc
import math

import llvmlite.binding as llvm
import numpy as np
import pytest

from saltus.run.integrators import sundials
from saltus.run.integrators.cvode import Cvode

# y' = -user * y, and the crossing function y - 1/2.
SOURCE = """
declare ptr @N_VGetArrayPointer(ptr)

define i32 @decay(double %t, ptr %y, ptr %ydot, ptr %user) {
  %a = call ptr @N_VGetArrayPointer(ptr %y)
  %b = call ptr @N_VGetArrayPointer(ptr %ydot)
  %rate = load double, ptr %user
  %v = load double, ptr %a
  %m = fmul double %v, %rate
  %d = fneg double %m
  store double %d, ptr %b
  ret i32 0
}

define i32 @half(double %t, ptr %y, ptr %g, ptr %user) {
  %a = call ptr @N_VGetArrayPointer(ptr %y)
  %v = load double, ptr %a
  %r = fsub double %v, 5.0e-1
  store double %r, ptr %g
  ret i32 0
}

define i32 @broken(double %t, ptr %y, ptr %ydot, ptr %user) {
  ret i32 1
}
"""


@pytest.fixture(scope="module")
def engine():
    for name, address in sundials.symbols().items():
        llvm.add_symbol(name, address)
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    module = llvm.parse_assembly(SOURCE)
    machine = llvm.Target.from_default_triple().create_target_machine()
    made = llvm.create_mcjit_compiler(module, machine)
    made.finalize_object()
    return made


def decay(engine, rate=1.0, **options):
    user = np.array([rate])
    made = Cvode(
        engine.get_function_address("decay"),
        np.array([1.0]),
        0.0,
        relative=1e-9,
        absolute=np.array([1e-12]),
        user_data=user.ctypes.data,
        **options,
    )
    made.user = user  # keeps the memory alive
    return made


def test_decay_follows_the_exponential(engine):
    cvode = decay(engine, rate=2.0)
    for k in range(1, 11):
        assert cvode.advance(0.1 * k) == sundials.SUCCESS
        assert cvode.time == 0.1 * k
        assert cvode.y[0] == pytest.approx(math.exp(-0.2 * k), rel=1e-7)
    assert cvode.derivative(1.0, 1)[0] == pytest.approx(-2.0 * math.exp(-2.0), rel=1e-4)
    counts = cvode.statistics()
    assert counts["rhs_evaluations"] >= counts["steps"] > 10
    assert counts["rhs_evaluations_for_jacobians"] >= 1
    cvode.close()


def test_stop_time_is_never_passed(engine):
    cvode = decay(engine)
    assert cvode.set_stop_time(0.25)
    assert cvode.advance(1.0) == sundials.TSTOP_RETURN
    assert cvode.time == 0.25
    assert cvode.advance(1.0) == sundials.SUCCESS
    assert not cvode.set_stop_time(0.5)  # already beyond
    cvode.y[0] = 1.0
    cvode.reinit(0.3)
    assert cvode.set_stop_time(0.5)
    assert cvode.advance(1.0) == sundials.TSTOP_RETURN
    assert cvode.y[0] == pytest.approx(math.exp(-0.2), rel=1e-7)


def test_statistics_survive_a_restart(engine):
    cvode = decay(engine)
    cvode.advance(1.0)
    before = cvode.statistics()
    cvode.y[0] = 1.0
    cvode.reinit(1.0)
    assert cvode.statistics() == before
    cvode.advance(2.0)
    assert cvode.statistics()["steps"] > before["steps"]


def test_a_failing_right_hand_side_is_a_flag_and_nothing_is_printed(engine, capfd):
    cvode = Cvode(
        engine.get_function_address("broken"),
        np.array([1.0]),
        0.0,
        relative=1e-6,
        absolute=np.array([1e-6]),
    )
    assert cvode.advance(1.0) == sundials.FIRST_RHSFUNC_ERR
    assert sundials.flag_name(cvode.flag) == "CV_FIRST_RHSFUNC_ERR"
    cvode.close()
    captured = capfd.readouterr()
    assert captured.out == "" and captured.err == ""


def test_too_many_steps_is_not_the_end(engine):
    cvode = decay(engine, max_step=1e-4)
    flags = []
    while not flags or flags[-1] != sundials.SUCCESS:
        flags.append(cvode.advance(0.25))
    assert flags[:-1] == [sundials.TOO_MUCH_WORK] * (len(flags) - 1) and len(flags) >= 3
    assert cvode.y[0] == pytest.approx(math.exp(-0.25), rel=1e-7)


def test_dense_lapack_gives_the_same(engine):
    # sixty independent equations, y_i' = -i y_i, with a call-back through ctypes
    n = 60
    rates = np.arange(1.0, n + 1)
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
    pointer = sundials.library()["N_VGetArrayPointer"]
    pointer.restype = ctypes.c_void_p
    pointer.argtypes = (ctypes.c_void_p,)

    def rhs(t, y, ydot, user):
        view = ctypes.c_double * n
        source = np.frombuffer(view.from_address(pointer(y)))
        np.frombuffer(view.from_address(pointer(ydot)))[:] = -rates * source
        return 0

    callback = kind(rhs)
    address = ctypes.cast(callback, ctypes.c_void_p).value
    cvode = Cvode(address, np.ones(n), 0.0, relative=1e-8, absolute=np.full(n, 1e-12))
    assert sundials.lapack_dense() is not None
    assert cvode.advance(0.3) == sundials.SUCCESS
    np.testing.assert_allclose(cvode.y, np.exp(-0.3 * rates), rtol=1e-5, atol=1e-9)
    cvode.close()


def test_freeing_twice_and_collecting_is_harmless(engine):
    for _ in range(20):
        cvode = decay(engine)
        cvode.close()
        cvode.close()
        decay(engine)
    gc.collect()


def test_missing_libraries_are_told(monkeypatch):
    monkeypatch.setattr(sundials, "find_spec", lambda name: None)
    with pytest.raises(sundials.UsageError, match="scikit-sundae is not installed"):
        sundials._folders()
    with pytest.raises(sundials.UsageError, match="libsundials_nothing"):
        sundials._find("nothing", [])
