"""One name for each position of an address, and for the parameters of a page of a list."""

from typing import Annotated

from fastapi import Path, Query

from livery.core import limits

ProjectId = Annotated[str, Path(alias="projectId", max_length=limits.ID_CHARACTERS, examples=["prj_k3v5mq7aw2xhb6td"])]
TabName = Annotated[str, Path(alias="tabName", max_length=limits.SCREEN_NAME_CHARACTERS, examples=["home"])]
KeyName = Annotated[str, Path(alias="key", max_length=limits.KEY_CHARACTERS, examples=["welcome_title"])]
SessionId = Annotated[str, Path(alias="sessionId", max_length=limits.ID_CHARACTERS, examples=["ses_k3v5mq7aw2xhb6td"])]
IdentityId = Annotated[
    str, Path(alias="identityId", max_length=limits.ID_CHARACTERS, examples=["idt_k3v5mq7aw2xhb6td"])
]
ApiKeyId = Annotated[str, Path(alias="apiKeyId", max_length=limits.ID_CHARACTERS, examples=["key_k3v5mq7aw2xhb6td"])]
PasskeyId = Annotated[str, Path(alias="passkeyId", max_length=limits.ID_CHARACTERS, examples=["psk_k3v5mq7aw2xhb6td"])]
LanguageCode = Annotated[str, Path(alias="languageCode", max_length=limits.ID_CHARACTERS, examples=["de"])]
MemberId = Annotated[str, Path(alias="userId", max_length=limits.ID_CHARACTERS, examples=["usr_k3v5mq7aw2xhb6td"])]
InvitationId = Annotated[
    str, Path(alias="invitationId", max_length=limits.ID_CHARACTERS, examples=["inv_k3v5mq7aw2xhb6td"])
]
TokenId = Annotated[str, Path(alias="tokenId", max_length=limits.ID_CHARACTERS, examples=["tok_k3v5mq7aw2xhb6td"])]
KeyId = Annotated[str, Path(alias="keyId", max_length=limits.ID_CHARACTERS, examples=["key_k3v5mq7aw2xhb6td"])]
VersionId = Annotated[str, Path(alias="versionId", max_length=limits.ID_CHARACTERS, examples=["ver_k3v5mq7aw2xhb6td"])]
ColorVersionId = Annotated[
    str, Path(alias="colorVersionId", max_length=limits.ID_CHARACTERS, examples=["ver_k3v5mq7aw2xhb6td"])
]
TargetLanguage = Annotated[str, Path(alias="lang", max_length=limits.ID_CHARACTERS, examples=["de"])]
JobId = Annotated[str, Path(alias="jobId", max_length=limits.ID_CHARACTERS, examples=["job_k3v5mq7aw2xhb6td"])]
ImportId = Annotated[str, Path(alias="importId", max_length=limits.ID_CHARACTERS, examples=["imp_k3v5mq7aw2xhb6td"])]
FileNumber = Annotated[int, Path(alias="fileNumber", ge=1, le=limits.LARGEST_NUMBER, examples=[1])]
ImageId = Annotated[str, Path(alias="imageId", max_length=limits.ID_CHARACTERS, examples=["img_k3v5mq7aw2xhb6td"])]
ReleaseNumber = Annotated[int, Path(alias="releaseNumber", ge=1, le=limits.LARGEST_NUMBER, examples=[12])]
ApiIdentifier = Annotated[
    str, Path(alias="apiIdentifier", max_length=limits.STORE_IDENTIFIER_CHARACTERS, examples=["destinations"])
]
ScheduleId = Annotated[
    str, Path(alias="scheduleId", max_length=limits.ID_CHARACTERS, examples=["sch_k3v5mq7aw2xhb6td"])
]
ItemId = Annotated[
    str,
    Path(
        alias="itemId",
        max_length=limits.ID_CHARACTERS,
        description="The `_id` of the item.",
        examples=["itm_k3v5mq7aw2xhb6td"],
    ),
]
# Two calls at one address take different ids, which an address can't express: it has one name for each of its places.
StoreIdHere = Annotated[
    str,
    Path(
        alias="projectId",
        max_length=limits.ID_CHARACTERS,
        description="The `_id` of the store.",
        examples=["sto_k3v5mq7aw2xhb6td"],
    ),
]
StoreOfItems = Annotated[
    str,
    Path(
        alias="itemId",
        max_length=limits.ID_CHARACTERS,
        description="The `_id` of the store.",
        examples=["sto_k3v5mq7aw2xhb6td"],
    ),
]
PageSize = Annotated[int, Query(alias="limit", ge=1, le=limits.PAGE_ENTRIES)]
NumberCursor = Annotated[int | None, Query(alias="cursor", ge=1, le=limits.LARGEST_NUMBER)]
"""The ``nextCursor`` of the page before, in lists by number."""
