"""What a run gives to others and takes from them while it is under way.

exchange  who is asked, how often, for what
values    inputs and outputs by name, in the memories of a run's programs
udp       datagrams on this machine
meetings  the exchanges of one run, in time
"""
