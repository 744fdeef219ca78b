"""What a person uses: the command line and its progress bar. May import every other part."""
