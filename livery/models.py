"""Gathers every domain's tables, for migrations and checks."""

from livery.accounts import models as accounts
from livery.activity import models as activity
from livery.ai import models as ai
from livery.analytics import models as analytics
from livery.billing import models as billing
from livery.billing.sandbox import models as sandbox
from livery.colors import models as colors
from livery.content import models as content
from livery.core.db import Base
from livery.email import models as email
from livery.images import models as images
from livery.previews import models as previews
from livery.projects import models as projects
from livery.publishing import models as publishing
from livery.schedules import models as schedules
from livery.screens import models as screens
from livery.search import models as search
from livery.stores import models as stores
from livery.usage import models as usage

metadata = Base.metadata
domains = (
    accounts,
    activity,
    ai,
    analytics,
    billing,
    colors,
    content,
    email,
    images,
    previews,
    projects,
    publishing,
    sandbox,
    schedules,
    screens,
    search,
    stores,
    usage,
)
