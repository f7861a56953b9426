"""``livery admin``: what an operator does by hand."""

import typer

app = typer.Typer(no_args_is_help=True, help="Commands for operators.")
