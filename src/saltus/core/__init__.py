"""Source files and spans, diagnostics and their rendering, the disk cache. Imports nothing of Saltus."""
