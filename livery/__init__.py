"""Livery: change the text, colours, images and data of running apps, without a rebuild."""

__version__ = "0.2.0.dev0"
