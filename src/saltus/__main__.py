"""`python -m saltus` is the command `saltus`."""

from saltus.tools.cli import main

if __name__ == "__main__":
    main()
