"""Data stores: collections of items with typed fields. Drafts of stores and items; what apps have comes from releases."""
