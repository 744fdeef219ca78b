"""The driver: integration from event to event in native code, as LLVM text. It is the same for all models.

    int saltus_drive(void* context)

The integrator takes one step at a time. After each step the driver

    1. looks at every relation that is watched, panel by panel: has it crossed zero? (below)
    2. locates the first crossing on the integrator's own interpolation, to the last digits of time
    3. writes the output points up to there
    4. does the event by the steps of `saltus.ir.native.steps`: left limits, presumption, rounds of `settle`
       and `commit`, right limits, the log
    5. starts the integrator anew if the event changed a state or the differential equations.

Where a model has delays, every step and every event is written into their histories
(`saltus.emit.support.remember`).

It returns when Python has to act: the codes are in `saltus.ir.native.drive`. An event that does not go as
usual (a loop without solution, an assertion inside a when-clause) is undone and left to
`saltus.run.iteration.events`, so what is here is the common case only.

*Crossings.* The presumed side of a relation is that of its truth, p = 1 or -1; with its residue z the
*margin* is z p where the sign of z is known, and z p + band while z is in its zero band. A margin that is
gone is a crossing; inside the band, leaving towards the presumed side is none. The event is the right end of
the bracket, where the margin is gone. Bracketing is by the Illinois method on the relation whose secant
crosses first, with all of them looked at in each evaluation, and a bisection whenever three evaluations have
not halved the bracket. Relations that are at zero there, too, and on their way across, cross with it.

*Panels.* A step is gone through from left to right in panels, each of which is looked into until it is known
that nothing has crossed in it and come back (`panels`); so the first crossing is in the first panel at whose
end one is found. Output points are written panel by panel, and each is compared with the relations in force:
a row that contradicts one is proof of a lost event, which is then sought between the last row and this one.
A relation that sets out across zero and comes back without having left its band is an event that cannot be
resolved: the driver reports it to Python, since this is how a ball would fall through the floor after its
last hop.

More than 15 modules, because fixed steps are a loop of their own, beside that of all other methods.

    context      the fields of the context, and of gates
    integrators  steps, interpolation, restarts of CVODE and IDA
    runge_kutta  steps, interpolation, restarts of the explicit method
    fixed_step   steps of a fixed length, and the loop that takes them
    panels       1
    crossings    2
    doubtful     2, where errors of the integrator may have led across
    output       3
    following    the steps of an event, from the tables that Python follows, too
    event        4, within one program
    entering     what entering a mode takes
    choosing     the choice of a mode
    parts        4, in one part of the model
    passages     4, from one program to another
    loop         all of it
    text         the modules with all these functions

Every field of the context has eight bytes; `saltus.run.engine.driver` fills them in.
"""
