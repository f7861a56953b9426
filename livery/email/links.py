"""The paths that mails link to. The email is in the fragment: browsers do not send it, so no log has it."""

from urllib.parse import quote

_PAGES_OF_ACCOUNTS = ("/settings", "/projects/")
"""Without a session these pages lead to the login page."""


def path_for(page: str, address: str) -> str:
    """Returns the path of a page whose email field is filled in."""
    return f"{page}#email={quote(address)}"


def path_of_reader(path: str, recipient: str) -> str:
    """Returns the path with the recipient's email if the page needs a session: the login page then has the email filled in."""
    return path_for(path, recipient) if path.startswith(_PAGES_OF_ACCOUNTS) else path
