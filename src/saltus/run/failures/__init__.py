"""Why a run failed, in the model's own words.

coupling         which truths depend on each other
phrases          what the messages are made of: the time, names, the values in an expression
invalid_numbers  values that are not finite, Integers that are too large, divisors that are zero
flips            relations and discrete variables that do not settle, events without end
unsolved         the equations behind a routine that failed
given_up         assertions, states that determine nothing any more, the integrator
standstill       steps without number in which no state moves
"""
