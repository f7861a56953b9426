"""Activity: who did what, for people to read.

An *activity* is a row with an action code, its actor and its target, written in the transaction of the act. Ids rise with time. Repeated edits
give way to the newest. The *audit log* has an entry for every act: also for those on an account, with the address it came from and what was
there before and after. Names of actors are not kept: whoever shows a feed or the log looks them up.
"""
