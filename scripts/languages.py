"""Writes what CLDR knows of the supported languages into ``livery/projects/languages.json``, a language in each line.

python -m scripts.languages
"""

import json

from livery.projects.languages import SUPPORTED, TABLE, describe_by_cldr


def table() -> str:
    """Returns the text of the file."""
    rows = [json.dumps(describe_by_cldr(code).model_dump(), ensure_ascii=False) for code in SUPPORTED]
    return "[\n" + ",\n".join(f"  {row}" for row in rows) + "\n]\n"


if __name__ == "__main__":
    TABLE.write_text(table(), encoding="utf-8")
