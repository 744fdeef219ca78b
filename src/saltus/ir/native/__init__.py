"""What Python and native code have to agree on, number by number.

    contract   places in the memory, zero bands, limits of rounds and turns, native functions
    steps      the steps of an event in their order, which both follow
    drive      the fields that the native driver shares with Python, its codes, and the log of events
    passage    the fields of passages between programs
    history    what delays remember, as numbers
    transport  what a spatialDistribution contains, as numbers
"""
