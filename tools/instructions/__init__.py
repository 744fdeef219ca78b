"""Counts the instructions of runs in two versions of Saltus, with callgrind of Valgrind.

Times say little on a machine that has other work; how many instructions a run takes is the same to a few
parts in ten thousand whenever it is counted. Counted is `Model.simulate` alone, with native code from the
cache, after runs that nobody counts.

    git worktree add ../before COMMIT
    python -m tools.instructions ../before             # against the tree that this one is in
    python -m tools.instructions ../before --runs bounces begin

cases     what is run: the models of the benchmarks
counted   one case in a process of its own, for any version
"""
