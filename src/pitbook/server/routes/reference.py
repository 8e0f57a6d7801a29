"""The description of the API, for programs and for people, and of every problem."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

from litestar import Response, get
from litestar.params import FromPath
from litestar.types import Scope

from pitbook.messages.languages import Language
from pitbook.server.http import request_context
from pitbook.server.http.errors import detail
from pitbook.server.http.problems import PROBLEMS, Problem
from pitbook.server.http.reference import render_document, render_reference
from pitbook.server.http.schema import ApiSchema, Description
from pitbook.server.services import HouseServices, Services

HTML = "text/html"
CACHE_BRIEFLY = {"Cache-Control": "max-age=300"}


@get("/api/v1/openapi.json", include_in_schema=False, sync_to_thread=True)
def openapi(api_schema: Description) -> Response[Any]:
    """Return the OpenAPI document."""
    return Response(api_schema.json, media_type="application/json", headers=CACHE_BRIEFLY)


@get("/api/v1/reference", include_in_schema=False, sync_to_thread=True)
def reference(api_schema: Description) -> Response[Any]:
    """Return the reference page."""
    return Response(_page(api_schema), media_type=HTML, headers=CACHE_BRIEFLY)


@lru_cache(maxsize=1)
def _page(api_schema: ApiSchema) -> str:
    return render_reference(api_schema.document)


@get("/api/v1/reference.css", include_in_schema=False, sync_to_thread=False)
def stylesheet() -> Response[Any]:
    """Return the style sheet of these pages."""
    return Response(_stylesheet(), media_type="text/css", headers=CACHE_BRIEFLY)


@lru_cache(maxsize=1)
def _stylesheet() -> bytes:
    return files("pitbook.server").joinpath("static", "reference.css").read_bytes()


@get("/problems", include_in_schema=False)
async def problems(services: HouseServices, scope: Scope) -> Response[Any]:
    """Return the page of all problems."""
    return await _problems_page(None, services, scope)


@get("/problems/{name:str}", include_in_schema=False)
async def problem(name: FromPath[str], services: HouseServices, scope: Scope) -> Response[Any]:
    """Return the page of one problem, to which its `type` leads."""
    if name not in PROBLEMS:
        raise Problem("not-found", detail("no-problem-kind"))
    return await _problems_page(name, services, scope)


async def _problems_page(name: str | None, services: Services, scope: Scope) -> Response[Any]:
    """Return a page in the language of the browser, or else of the account."""
    context = request_context.current()
    if not context.accepts:
        await services.authenticator.caller(scope)
    headers = {**CACHE_BRIEFLY, "Content-Language": context.language, "Vary": "Accept-Language, Authorization, Cookie"}
    return Response(_problems(name, context.language), media_type=HTML, headers=headers)


@lru_cache(maxsize=512)
def _problems(name: str | None, language: Language) -> str:
    groups = {
        "requests": [kind for kind in PROBLEMS.values() if not kind.refusal],
        "refusals": [kind for kind in PROBLEMS.values() if kind.refusal],
    }
    one = PROBLEMS[name] if name else None
    return render_document("problems.html", language, one=one, groups=groups)


handlers = [openapi, reference, stylesheet, problems, problem]
