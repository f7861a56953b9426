"""Content: the vocabulary that every kind of content shares.

A *part* is the unit of storage and delivery: a name and canonical JSON under its SHA-256. A *change* is one entry (a key, a colour, a store, an
item, a screen, a language) that differs between what apps have and the draft. A *kind* implements, for its entries, the operations that
publishing loops over. This package knows no kind.
"""
