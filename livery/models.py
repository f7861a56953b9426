"""Gathers every domain's tables, for migrations and checks."""

import livery.accounts.models
import livery.activity.models
import livery.ai.models
import livery.analytics.models
import livery.billing.models
import livery.billing.sandbox.models
import livery.colors.models
import livery.content.models
import livery.core.shared_rates
import livery.email.models
import livery.images.models
import livery.imports.models
import livery.live.models
import livery.previews.models
import livery.projects.models
import livery.publishing.models
import livery.schedules.models
import livery.screens.models
import livery.sdks.models
import livery.search.models
import livery.stores.models
import livery.usage.models
from livery.core.db import Base

metadata = Base.metadata
domains = (
    livery.accounts.models,
    livery.activity.models,
    livery.ai.models,
    livery.analytics.models,
    livery.billing.models,
    livery.billing.sandbox.models,
    livery.colors.models,
    livery.content.models,
    livery.core.shared_rates,
    livery.email.models,
    livery.images.models,
    livery.imports.models,
    livery.live.models,
    livery.previews.models,
    livery.projects.models,
    livery.publishing.models,
    livery.schedules.models,
    livery.screens.models,
    livery.sdks.models,
    livery.search.models,
    livery.stores.models,
    livery.usage.models,
)
