"""Do two versions of Saltus behave the same, byte for byte?

    python -m tools.same_behaviour record FOLDER [WORD ...] [--source SRC] [--workers N] [--seconds S]
        carries out every case with the Saltus in SRC (that of this checkout, if not given) and keeps what
        came of each in FOLDER. Words choose cases by parts of their kind or name.
    python -m tools.same_behaviour compare OLD NEW [WORD ...]
        prints how many cases of each kind are the same, and the first line of each difference. The status
        is 1 if anything differs, is in one of the two only, or took too long to be known.

A change that must not be noticed is proved so: record with the source of before and with that of after, then
compare. The cases come from this checkout in both recordings: what is shipped, the texts of the tests, the
tables of bad input, the benchmarks. A case is what a user does: commands in an empty folder. What came of it
is a text, `KIND/NAME.txt.gz`, that `zless` shows and `zdiff` compares: status, standard output, standard
error and files.

Nothing of `saltus` is used but what users see: the command line, `saltus.load`, and what it gives. So the two
versions may have nothing else in common.

    case.py      what a case is
    texts.py     texts of models that stand in the sources of the tests
    cases.py     all cases
    perform.py   one case, carried out; what is left out of the record
    compare.py   two recordings
"""
