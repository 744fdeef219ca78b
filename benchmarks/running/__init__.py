"""How long runs take, against peers written by hand.

More than 15 modules, because each is a benchmark of its own.

right_hand_side  native right-hand side against C
van_der_pol      a stiff model against LSODA
chain            masses between two walls against CVODE with C
sparse_chain     the same, much longer, with sparse and dense linear algebra
double_pendulum  a model of index 3 against its angles
bounces          events of a ball
clocks           ticks of a hundred sampled controllers
thermostats      events of a hundred rooms
rectifier        events and steps of six leaky diodes
buck             a converter against its modes written by hand
fixed_steps      steps of a fixed length: a rectifier, a gearbox
ideal            ideal switches against leaky ones
switches         many ideal switches
first_runs       first runs of converters, ideal ones against leaky ones
event_time       what an event takes by itself
verification     what it costs to look into every step
"""
