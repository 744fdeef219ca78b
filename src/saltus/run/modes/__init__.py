"""Modes: events that lead from one program to another.

engines       the engines that a run has made so far
choices       which of them it goes on with: for a choice of states, a mode, a surface
vanishing     divisors that a parameter makes zero
lost_rank     linear systems that lose rank by rounding
deciding      what decides about a mode: guards, the relations behind them, zeros
entering      an instant: left limits frozen while modes are entered tentatively
singular      equations that depend on each other in a mode, and whether they contradict each other
ways_out      where searches have led from modes that cannot be
mode_search   the search for a mode, across programs
choosing      the choice of a mode at one instant, step by step
across        an event that may lead from one program to another, step by step
fixed_guards  which guards have to be fixed, and which of them one program follows
native_parts  what the native driver knows about parts that events keep apart
native_gates  what the native driver knows about other programs
modes         the mode in which a run goes on after an event, and in which it starts
"""
