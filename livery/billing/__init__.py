"""Billing: tiers and their limits, and what people pay for them.

A *tier* is a row of the one table in ``plans``. *Credits* are whole numbers. Every change is a *ledger entry* that is never changed or removed. The
balance is the sum of a person's entries, never below zero. A *reference* names the reason of an entry: the same
reference of the same person takes effect once. An *invoice* orders credits at a payment *provider*; it is credited once, when the provider,
asked, calls a *payment* of it complete. ``terms`` computes until when a project is paid; the project itself belongs to ``projects``.
"""
