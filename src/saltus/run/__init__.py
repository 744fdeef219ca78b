"""Simulation: integration, events, modes, and the loop that ties them together.

`simulate` is the loop. Its parts, bottom to top:

    schedule     the settings of a run, and when something is due
    memory       a machine's numbers by the model's names
    sizes        sizes of variables without a nominal value
    integrators  CVODE, IDA and the explicit method
    failures     why a run failed, in the model's terms
    past         histories of delays and transports
    iteration    event iteration within one program
    engine       one program at work
    modes        events across programs, and the choice of a mode
    uniqueness   whether the mode chosen is the only consistent one
    start        before the first step
    linear       the linearisation at the position that a run has reached
    steps        the modes that events pass through, kept for the result
    course       a run from instant to instant: events, and switching between programs
    exchange     data exchanged with other programs while a run is under way
    surfaces     chattering, sliding and Zeno sequences
    resume       checkpoints
    steady       steady states
    simulate     the main loop: integrate to the next output point or event, handle the event, continue
"""
