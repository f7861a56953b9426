"""WebAuthn's ceremonies, by the library: what a browser is asked for, and whether its answer proves anything.

The library is imported by the first ceremony: it takes 65 ms of each start.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from livery.core import limits

if TYPE_CHECKING:
    from webauthn.helpers.structs import PublicKeyCredentialDescriptor
    from webauthn.registration.verify_registration_response import VerifiedRegistration

Known = tuple[bytes, list[str]]
"""A passkey: its credential id and the names of its transports."""

_NAME = "Livery"
_TIMEOUT_MS = int(limits.STEP_LIFE.total_seconds() * 1000)


def login_options(rp_id: str, challenge: bytes, known: Sequence[Known]) -> dict[str, Any]:
    """Returns the options of ``navigator.credentials.get()``."""
    from webauthn import generate_authentication_options
    from webauthn.helpers import options_to_json_dict
    from webauthn.helpers.structs import UserVerificationRequirement

    return options_to_json_dict(
        generate_authentication_options(
            rp_id=rp_id,
            challenge=challenge,
            timeout=_TIMEOUT_MS,
            allow_credentials=[_descriptor(passkey) for passkey in known],
            user_verification=UserVerificationRequirement.REQUIRED,
        )
    )


def enrol_options(
    rp_id: str, challenge: bytes, *, user_id: str, user_email: str, user_name: str, known: Sequence[Known]
) -> dict[str, Any]:
    """Returns the options of ``navigator.credentials.create()``."""
    from webauthn import generate_registration_options
    from webauthn.helpers import options_to_json_dict
    from webauthn.helpers.structs import (
        AuthenticatorSelectionCriteria,
        ResidentKeyRequirement,
        UserVerificationRequirement,
    )

    return options_to_json_dict(
        generate_registration_options(
            rp_id=rp_id,
            rp_name=_NAME,
            user_id=user_id.encode(),
            user_name=user_email,
            user_display_name=user_name,
            challenge=challenge,
            timeout=_TIMEOUT_MS,
            exclude_credentials=[_descriptor(passkey) for passkey in known],
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED, user_verification=UserVerificationRequirement.REQUIRED
            ),
        )
    )


def verify_new(credential: dict[str, Any], challenge: bytes, *, rp_id: str, origin: str) -> "VerifiedRegistration":
    """Returns the passkey that a browser made. Raises any exception for an answer that proves nothing."""
    from webauthn import verify_registration_response

    return verify_registration_response(
        credential=credential,
        expected_challenge=challenge,
        expected_rp_id=rp_id,
        expected_origin=origin,
        require_user_verification=True,
    )


def verify_signature(
    credential: dict[str, Any], challenge: bytes, *, rp_id: str, origin: str, public_key: bytes, sign_count: int
) -> int:
    """Returns the passkey's new counter. Raises any exception for an answer that proves nothing."""
    from webauthn import verify_authentication_response

    proof = verify_authentication_response(
        credential=credential,
        expected_challenge=challenge,
        expected_rp_id=rp_id,
        expected_origin=origin,
        credential_public_key=public_key,
        credential_current_sign_count=sign_count,
        require_user_verification=True,
    )
    return proof.new_sign_count


def known_transports(names: Sequence[str]) -> list[str]:
    """Returns those of the names that are transports of the standard, each once."""
    from webauthn.helpers.structs import AuthenticatorTransport

    known = {transport.value for transport in AuthenticatorTransport}
    return sorted({name for name in names if name in known})


def _descriptor(passkey: Known) -> "PublicKeyCredentialDescriptor":
    from webauthn.helpers.structs import AuthenticatorTransport, PublicKeyCredentialDescriptor

    credential_id, transports = passkey
    return PublicKeyCredentialDescriptor(
        id=credential_id,
        transports=[AuthenticatorTransport(name) for name in known_transports(transports)] or None,
    )
