"""The types of fields: one file for each type, listed in ``known``."""
