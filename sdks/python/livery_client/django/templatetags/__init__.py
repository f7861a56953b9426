"""The template tags of Livery."""
