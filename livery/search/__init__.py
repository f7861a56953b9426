"""Search: which keys and texts of a project's drafts hold some characters, whatever their case and accents.

A *block* is an index entry: the folded texts of one screen in one language, or the names of its keys. It has a signature of the character groups in
them. A *mark* means that texts changed since their block was made. The database sets it by triggers, in the transaction of the change, so the index
can't miss a change. A search reads marked texts as they are and never depends on when blocks are renewed.
"""
