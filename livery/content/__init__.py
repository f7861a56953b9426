"""Content: the vocabulary that every kind of content shares.

A *part* is the unit of storage and delivery: a name and canonical JSON under its SHA-256. A *change* is one entry that differs between what apps
have and the draft: a key, a colour, a store, an item, a screen or a language. A *kind* implements, for its entries, the operations that
publishing loops over. This package knows no kind.
"""
