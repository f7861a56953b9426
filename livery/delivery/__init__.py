"""Delivery: what apps read. Knows releases only, never a draft, and needs no database for what it has in memory."""
