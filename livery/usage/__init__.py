"""Usage: how many API calls and bytes each project's apps took, per UTC day.

Counts add up in the memory of each process (the *meter*) and are added to the *usage days* every few seconds. A crash loses the seconds since
the last flush, in the customer's favour. A *quota* is a monthly limit of one of the two. A *quota mark* means that its owner got a notice of a
threshold of one amount in one month.
"""
