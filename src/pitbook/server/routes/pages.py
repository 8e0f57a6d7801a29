"""The web pages: one document for all their addresses, and the files that it loads."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Request, Response, get
from litestar.params import FromPath

from pitbook.server.http.assets import HTML, built
from pitbook.server.http.problems import Problem
from pitbook.server.http.reference import environment
from pitbook.server.http.response_cache import answered

PAGES = (
    "/",
    "/sign-in",
    "/me",
    "/tables/{table:str}",
    "/tables/{table:str}/dealer",
    "/tables/{table:str}/board",
    "/tables/{table:str}/sign",
    "/tables/{table:str}/rounds/{number:int}",
    "/floor",
    "/floor/{rest:path}",
    "/audit",
    "/audit/{rest:path}",
    "/books",
    "/books/{book_id:str}",
    "/books/{book_id:str}/analysis",
    "/analysis",
    "/simulation",
    "/verify",
)
"""Where the browser draws a page; the routes of ui/src/app.tsx are the same."""


@get(list(PAGES), include_in_schema=False, opt={"any_query": True})
async def page(request: Request[Any, Any, Any]) -> Response[Any]:
    """The document that draws them all; which one, the browser decides by the address."""
    bundle = await asyncio.to_thread(built)
    if bundle is None:
        words = environment().get_template("unbuilt.html").render()
        return Response(words, status_code=503, media_type=HTML)
    return answered(request, bundle.index)


@get("/assets/{name:str}", include_in_schema=False)
async def asset(name: FromPath[str], request: Request[Any, Any, Any]) -> Response[Any]:
    """A file of theirs; its name changes with its content, so a browser keeps it for good."""
    bundle = await asyncio.to_thread(built)
    found = bundle.assets.get(name) if bundle else None
    if found is None:
        raise Problem("not-found", "the pages have no such file; load the page again")
    content, headers = found.for_who_takes(request.headers.get("accept-encoding", ""))
    return Response(content, media_type=found.media_type, headers=headers)


handlers = [page, asset]
