"""Serves the descriptions of the API: ``/api/docs`` for people, ``/api/delivery.json`` for programs."""

from functools import cache
from typing import Any

from fastapi import FastAPI
from fastapi.responses import HTMLResponse, Response

from livery.core.reference import page as reference_page
from livery.core.reference.delivery import delivery_document


def add_routes(api: FastAPI) -> None:
    """Adds the page, the document of delivery and the style sheet of the page. ``/api/openapi.json`` is FastAPI's own."""

    @cache
    def page() -> str:
        return reference_page.draw(api.openapi(), delivery_document())

    @api.get("/api/docs", include_in_schema=False)
    def read_reference() -> HTMLResponse:
        return HTMLResponse(page())

    @api.get("/api/docs.css", include_in_schema=False)
    def read_style() -> Response:
        return Response(reference_page.style(), media_type="text/css")

    @api.get("/api/delivery.json", include_in_schema=False)
    def read_delivery_document() -> dict[str, Any]:
        return delivery_document()
