"""A whole project as one file, which a person can keep or take along."""
