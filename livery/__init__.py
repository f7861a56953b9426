"""Livery: change the text, colours, images and data of running apps, without a rebuild."""

__version__ = "0.1.0"
