"""Activity: who did what, for people to read.

An *activity* is a row with an action code, its actor and its subject, written in the transaction of the act. Ids rise with time. Repeated edits
give way to the newest. The *audit log* has an entry for every act, also for acts on an account. An entry has the address from which the act came,
and the values before and after. A *subject* is a small object of named facts. Sentences and targets are made of it when they are shown. Names of
actors
are not kept: the code that shows a feed or the log looks them up.
"""
