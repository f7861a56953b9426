"""The writing direction of a language tag: by its script where it names a script, else by the language."""

import re
from typing import Literal

_RTL_SCRIPTS = frozenset("adlm arab aran hebr mand mend nkoo rohg samr syrc thaa".split())
_RTL_LANGUAGES = frozenset("ar arc ckb dv fa he iw ji ks mzn nqo pnb prs ps sd syr ug ur yi".split())


def direction_of(language: str) -> Literal["ltr", "rtl"]:
    """Returns the value of the ``dir`` attribute for a language (BCP 47)."""
    tongue, *rest = re.split("[-_]", language.lower())
    script = next((part for part in rest if re.fullmatch("[a-z]{4}", part)), None)
    is_rtl = tongue in _RTL_LANGUAGES if script is None else script in _RTL_SCRIPTS
    return "rtl" if is_rtl else "ltr"
