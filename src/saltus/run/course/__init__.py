"""A run from instant to instant.

course   the program at work, the time, what is written down; events, and other engines that go on
breaks   solutions that end, and equations that part, although nothing switches
"""
