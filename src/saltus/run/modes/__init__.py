"""Modes: events across programs, and the choice of a mode.

engines       the engines that a run has made so far
choices       the engine that takes over: for a choice of states, a mode, a surface
vanishing     divisors that a parameter makes zero
lost_rank     linear systems that lose rank by rounding
deciding      what determines a mode: guards, the relations behind them, zeros
entering      an instant: left limits frozen while modes are entered tentatively
singular      dependent equations in a mode, and whether they contradict each other
ways_out      where searches have led from impossible modes
mode_search   the search for a mode, across programs
choosing      the choice of a mode at one instant, step by step
across        an event that may lead from one program to another, step by step
fixed_guards  the guards that have to be fixed, and those that one program follows
native_parts  what the native driver knows about parts that events keep apart
native_gates  what the native driver knows about other programs
modes         the mode in which a run continues after an event, and in which it starts
"""
