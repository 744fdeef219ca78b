"""Numbers: integration, events, modes, and the loop that ties them together.

`simulate` is the loop. Its parts, bottom to top:

    schedule     what is asked of a run, and when something is due
    memory       a machine's numbers with the model's names on them
    sizes        how large variables are, where nobody says it
    integrators  CVODE, IDA and the explicit method
    failures     why a run failed, in the model's own words
    past         what delays and transports remember
    iteration    an event within one program
    engine       one program at work
    modes        events that lead from one program to another
    uniqueness   whether the mode that a run has come to is the only one
    start        before the first step
    linear       what a model is near the position that a run has come to
    steps        what events have passed through, kept for the result
    course       a run from instant to instant: events, and programs that take turns
    exchange     what a run gives to others and takes from them while it is under way
    surfaces     chattering, sliding and Zeno sequences
    resume       checkpoints
    steady       positions at which a model is at rest
    simulate     the loop: integrate to the next output point or event, do the event, go on
"""
