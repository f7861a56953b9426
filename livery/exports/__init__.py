"""Exports: texts, colours and items written to files, of the draft or of the release that apps have."""
