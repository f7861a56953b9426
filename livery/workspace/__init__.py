"""Answers and verbs that touch several domains: who I am, the project as the dashboard sees it, activating a plan. Has no tables."""
