"""Content: the vocabulary that every kind of content shares.

A *part* is the unit of storage and delivery: a name and canonical JSON under its SHA-256. A *change* is one entry that differs between apps and the
draft: a key, colour, store, item, screen or language. A *kind* implements, for its entries, the operations that
publishing loops over. This package knows no kind.
"""
