"""One name for each position of an address, and for the parameters of a page of a list."""

from typing import Annotated

from fastapi import Path, Query

ProjectId = Annotated[str, Path(alias="projectId", max_length=64, examples=["prj_k3v5mq7aw2xhb6td"])]
TabName = Annotated[str, Path(alias="tabName", max_length=64, examples=["home"])]
KeyName = Annotated[str, Path(alias="key", max_length=128, examples=["welcome_title"])]
SessionId = Annotated[str, Path(alias="sessionId", max_length=64, examples=["ses_k3v5mq7aw2xhb6td"])]
IdentityId = Annotated[str, Path(alias="identityId", max_length=64, examples=["idt_k3v5mq7aw2xhb6td"])]
ApiKeyId = Annotated[str, Path(alias="apiKeyId", max_length=64, examples=["key_k3v5mq7aw2xhb6td"])]
PasskeyId = Annotated[str, Path(alias="passkeyId", max_length=64, examples=["psk_k3v5mq7aw2xhb6td"])]
LanguageCode = Annotated[str, Path(alias="languageCode", max_length=64, examples=["de"])]
MemberId = Annotated[str, Path(alias="userId", max_length=64, examples=["usr_k3v5mq7aw2xhb6td"])]
InvitationId = Annotated[str, Path(alias="invitationId", max_length=64, examples=["inv_k3v5mq7aw2xhb6td"])]
KeyId = Annotated[str, Path(alias="keyId", max_length=64, examples=["key_k3v5mq7aw2xhb6td"])]
VersionId = Annotated[str, Path(alias="versionId", max_length=64, examples=["ver_k3v5mq7aw2xhb6td"])]
ColorVersionId = Annotated[str, Path(alias="colorVersionId", max_length=64, examples=["ver_k3v5mq7aw2xhb6td"])]
TargetLanguage = Annotated[str, Path(alias="lang", max_length=64, examples=["de"])]
JobId = Annotated[str, Path(alias="jobId", max_length=64, examples=["job_k3v5mq7aw2xhb6td"])]
ImageId = Annotated[str, Path(alias="imageId", max_length=64, examples=["img_k3v5mq7aw2xhb6td"])]
ReleaseNumber = Annotated[int, Path(alias="releaseNumber", ge=1, le=2**31 - 1, examples=[12])]
ApiIdentifier = Annotated[str, Path(alias="apiIdentifier", max_length=64, examples=["destinations"])]
ScheduleId = Annotated[str, Path(alias="scheduleId", max_length=64, examples=["sch_k3v5mq7aw2xhb6td"])]
ItemId = Annotated[
    str, Path(alias="itemId", max_length=64, description="The `_id` of the item.", examples=["itm_k3v5mq7aw2xhb6td"])
]
# Two calls at one address take different ids, which an address can't say: it has one name for each of its places.
StoreIdHere = Annotated[
    str,
    Path(alias="projectId", max_length=64, description="The `_id` of the store.", examples=["sto_k3v5mq7aw2xhb6td"]),
]
StoreOfItems = Annotated[
    str, Path(alias="itemId", max_length=64, description="The `_id` of the store.", examples=["sto_k3v5mq7aw2xhb6td"])
]
PageSize = Annotated[int, Query(alias="limit", ge=1, le=100)]
NumberCursor = Annotated[int | None, Query(alias="cursor", ge=1, le=2**31 - 1)]
"""The ``nextCursor`` of the page before, in lists by number."""
