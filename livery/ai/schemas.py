"""What AI takes and answers."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints

from livery.ai.models import AiFailure, AiJob
from livery.ai.providers.port import ProviderName
from livery.core import limits
from livery.core.errors import Invalid, PaymentRequired
from livery.core.schemas import Body, Id, Moment, View
from livery.projects.languages import describe
from livery.projects.queries import Access
from livery.screens.schemas import KeyRecord
from livery.stores.schemas import ItemRecord

NOTHING_TO_REPHRASE = "There is no text to rephrase."
NOTHING_TO_TRANSLATE = "There is no text to translate."
SAME_LANGUAGE = "Choose another language to translate from."
INVALID_AUTO_FILL = "Invalid reference or target language for auto-fill."
NO_PLAN = "This project does not have an active plan. Please assign credits in Project Settings to use AI."
NO_PLAN_ANYWHERE = "You have no project with an active plan. Please assign credits in Project Settings to use AI."
TOO_LONG = f"Use at most {limits.AI_TEXT_CHARACTERS:,} characters for AI."

JobState = Literal["pending", "running", "done", "failed", "cancelled"]
_Code = Annotated[str, StringConstraints(max_length=limits.GIVEN_LANGUAGE_CHARACTERS)]


def check_text(text: str, *, field: str, empty: str) -> None:
    """Raises ``Invalid`` for a text that is empty or too long for AI."""
    if not text.strip():
        raise Invalid.field(field, empty)
    if len(text) > limits.AI_TEXT_CHARACTERS:
        raise Invalid.field(field, TOO_LONG, code="text_too_long")


def check_plan(access: Access) -> None:
    """Raises ``PaymentRequired`` for a project without an active plan."""
    if not access.tier.is_active:
        raise PaymentRequired(NO_PLAN, code="plan_required")


class RephraseBody(Body):
    """A text to rephrase. ``projectId`` names the project of the text, for context."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "text": "Where do you want to go next, {name}?",
                "language": "en",
                "projectId": "prj_k3v5mq7aw2xhb6td",
            }
        }
    )

    text: Annotated[str, StringConstraints(max_length=limits.TEXT_CHARACTERS)]
    language: _Code
    project_id: Id | None = None


class Rephrased(View):
    """The text in other words. With the provider ``pseudo`` it is a disguise for testing layouts."""

    rephrased_text: str
    provider: ProviderName


class TranslateTextBody(Body):
    """A text to put into ``language``. ``tabName`` names the screen that shows it, for context."""

    model_config = ConfigDict(
        json_schema_extra={
            "example": {
                "text": "Where to next, {name}?",
                "sourceLang": "en",
                "language": "de",
                "projectId": "prj_k3v5mq7aw2xhb6td",
                "tabName": "home",
            }
        }
    )

    text: Annotated[str, StringConstraints(max_length=limits.TEXT_CHARACTERS)]
    source_lang: _Code
    language: _Code
    project_id: Id
    tab_name: Annotated[str, StringConstraints(max_length=limits.SCREEN_NAME_CHARACTERS)] | None = None


class Translated(View):
    """The text in the other language. With the provider ``pseudo`` it is a disguise for testing layouts."""

    translated_text: str
    provider: ProviderName


class TranslateKeyBody(Body):
    """A key, and the text that it has in ``sourceLang``."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"key": "welcome_title", "value": "Where to next, {name}?", "sourceLang": "en"}}
    )

    key: Annotated[str, StringConstraints(max_length=limits.GIVEN_NAME_CHARACTERS)]
    value: Annotated[str, StringConstraints(max_length=limits.TEXT_CHARACTERS)]
    source_lang: _Code


class LanguageFailure(View):
    """A language that could not be filled, and why."""

    language: str
    reason: str


class KeyTranslated(View):
    """The key with what AI wrote; ``failed`` are the languages that it could not fill."""

    updated_key: KeyRecord
    provider: ProviderName
    failed: list[LanguageFailure]


class AutoFillBody(Body):
    """Which language of an item to fill, and from which. ``overwrite`` replaces present texts. A text that anybody changes during the translation
    stays."""

    model_config = ConfigDict(json_schema_extra={"example": {"targetLanguage": "de", "referenceLanguage": "en"}})

    target_language: _Code
    reference_language: _Code
    overwrite: bool = False


class FieldFailure(View):
    """A field that could not be filled, and why."""

    field: str
    reason: str


class ItemTranslated(View):
    """The item with what AI wrote; ``failed`` are the fields that it could not fill."""

    item: ItemRecord
    provider: ProviderName
    failed: list[FieldFailure]


class AutoTranslateBody(Body):
    """Which language to translate from, and how much. ``overwrite`` replaces present texts. A text that anybody changes during the translation
    stays."""

    model_config = ConfigDict(
        json_schema_extra={"example": {"referenceLanguage": "en", "allTabs": False, "overwrite": False}}
    )

    reference_language: _Code
    all_tabs: bool
    overwrite: bool = False


class FillPreview(View):
    """Counts of the keys with a text in the reference language: how many lack the language, and who wrote the texts of the other keys."""

    missing: int
    by_people: int
    by_ai: int
    provider: ProviderName


class JobFailure(View):
    """A text that could not be filled, and why."""

    tab_name: str
    key: str
    reason: str


class JobView(View):
    """A translation job. ``done`` counts the filled texts, also texts that others filled during the job. ``tabName`` is null for all screens."""

    id: str = Field(validation_alias="id", serialization_alias="_id", examples=["job_k3v5mq7aw2xhb6td"])
    kind: Literal["translate"] = "translate"
    project_id: str
    status: JobState
    language: str
    reference_language: str
    tab_name: str | None
    overwrite: bool
    provider: ProviderName
    total: int
    done: int
    failed_count: int
    failed: list[JobFailure] = Field(description=f"The first {limits.AI_FAILURES:,} of them, by screen and key.")
    reason: str | None = Field(description="Why the whole job stopped.")
    started_by: str | None = Field(description="Who started the job. Null when that account is deleted.")
    created_at: Moment
    finished_at: Moment | None

    @classmethod
    def of(cls, job: AiJob, failures: list[AiFailure]) -> "JobView":
        """Returns the job as its project's members see it."""
        return cls.model_validate(
            {
                "id": job.id,
                "project_id": job.project_id,
                "status": job.state,
                "language": job.language,
                "reference_language": job.reference_language,
                "tab_name": job.screen,
                "overwrite": job.is_overwriting,
                "provider": job.provider,
                "total": job.total,
                "done": job.done,
                "failed_count": job.failed,
                "failed": [JobFailure(tab_name=one.screen, key=one.key, reason=one.reason) for one in failures],
                "reason": job.reason,
                "started_by": job.created_by,
                "created_at": job.created_at,
                "finished_at": job.finished_at,
            },
            by_name=True,
        )


class JobStarted(View):
    """The job that will do it."""

    message: str
    job: JobView


class JobList(View):
    """The newest jobs of a project, newest first, without their failures."""

    jobs: list[JobView]


def started(job: JobView) -> JobStarted:
    """Returns the job with a sentence about it."""
    name = describe(job.language).name
    texts = "1 text" if job.total == 1 else f"{job.total:,} texts"
    message = f"Translating {texts} into {name}." if job.total else f"There is nothing to translate into {name}."
    return JobStarted(message=message, job=job)
