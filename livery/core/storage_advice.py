"""What an operator does about an S3 that refuses, as a sentence for the log and for commands. Pure functions."""

import re

_CODE = re.compile(r"<Code>(\w+)</Code>")
_STATUS = re.compile(r"status code: (\d{3})")
_POLICY = "Allow it in the policy of the bucket: {page}."
_KEYS = "Correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
_BUCKET = "Create the bucket, or correct {setting} and AWS_REGION."
_AGAIN = "S3 has a trouble of its own. Livery tries again with the next call."
_ADVICE = {
    "NoSuchBucket": _BUCKET,
    "AccessDenied": _POLICY,
    "InvalidAccessKeyId": _KEYS,
    "SignatureDoesNotMatch": _KEYS,
    "ExpiredToken": "Renew AWS_SESSION_TOKEN.",
    "RequestTimeTooSkewed": "Set the clock of this machine.",
    "PermanentRedirect": "Correct AWS_REGION: the bucket is in a different region.",
    "AuthorizationHeaderMalformed": "Correct AWS_REGION: the bucket is in a different region.",
    "SlowDown": _AGAIN,
    "InternalError": _AGAIN,
    "301": "Correct AWS_REGION: the bucket is in a different region.",
    "403": f"{_KEYS} {_POLICY}",
    "404": _BUCKET,
}
"""By the code of S3, then by the status of an answer without a code."""


def code_of(error: BaseException) -> str:
    """Returns the code of S3's answer, such as ``AccessDenied``; else its status; empty if S3 did not answer."""
    text = str(error)
    if "redirect without LOCATION" in text:  # S3's answer in a different region: obstore drops its code
        return "PermanentRedirect"
    found = _CODE.search(text) or _STATUS.search(text)
    return found[1] if found else ""


def advice_on(error: BaseException, *, setting: str = "LIVERY_STORAGE_URL", page: str = "docs/operations/s3.md") -> str:
    """Returns what is wrong with the storage and what to do, in a line without secrets. ``setting`` has the address of the storage."""
    code, text = code_of(error), str(error)
    if code:
        return f"S3 answered {code}. {_ADVICE.get(code, _AGAIN).format(setting=setting, page=page)}"
    if "http" in text or "error sending request" in text:
        return "S3 does not answer. Check its address (AWS_ENDPOINT), the network and the service."
    return "The storage does not answer." if isinstance(error, TimeoutError) else "The storage failed."
