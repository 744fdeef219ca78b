"""What made an event, as people wrote it.

places   where it is written in the source
wording  relations in words, without names that the compiler has made
"""
