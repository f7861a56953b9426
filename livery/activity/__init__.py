"""Activity: who did what, for people to read.

An *activity* is a row with an action code, its actor and its target, written in the transaction of the deed. Ids rise with time. Names of
actors are not kept: whoever shows a feed looks them up.
"""
