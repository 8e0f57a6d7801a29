"""The description of the API, for programs and for people, and of every problem."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

from litestar import Response, get
from litestar.params import FromPath

from pitbook.server.http.errors import detail
from pitbook.server.http.problems import PROBLEMS, Problem
from pitbook.server.http.reference import environment, render_reference
from pitbook.server.http.schema import ApiSchema, Description

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


@get("/problems", include_in_schema=False, sync_to_thread=True)
def problems() -> Response[Any]:
    """Return the page of all problems."""
    return Response(_problems(None), media_type=HTML, headers=CACHE_BRIEFLY)


@get("/problems/{name:str}", include_in_schema=False, sync_to_thread=True)
def problem(name: FromPath[str]) -> Response[Any]:
    """Return the page of one problem, to which its `type` leads."""
    if name not in PROBLEMS:
        raise Problem("not-found", detail("no-problem-kind"))
    return Response(_problems(name), media_type=HTML, headers=CACHE_BRIEFLY)


@lru_cache(maxsize=256)
def _problems(name: str | None) -> str:
    groups = {
        "Requests": [kind for kind in PROBLEMS.values() if not kind.refusal],
        "Refusals": [kind for kind in PROBLEMS.values() if kind.refusal],
    }
    one = PROBLEMS[name] if name else None
    return environment().get_template("problems.html").render(one=one, groups=groups)


handlers = [openapi, reference, stylesheet, problems, problem]
