"""The web pages: one document for all their addresses, and the files that it loads."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Request, Response, get
from litestar.params import FromPath

from pitbook.server.http import request_context
from pitbook.server.http.assets import HTML, built
from pitbook.server.http.errors import detail
from pitbook.server.http.problems import Problem
from pitbook.server.http.reference import render_document
from pitbook.server.http.response_cache import respond_cached

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
"""Addresses of pages; ui/src/app.tsx has the same routes."""


@get(list(PAGES), include_in_schema=False, opt={"any_query": True})
async def page(request: Request[Any, Any, Any]) -> Response[Any]:
    """Return the document of all pages; the browser chooses the page by the address."""
    bundle = await asyncio.to_thread(built)
    if bundle is None:
        text = render_document("unbuilt.html", request_context.current().language)
        return Response(text, status_code=503, media_type=HTML)
    return respond_cached(request, bundle.index)


@get("/assets/{name:str}", include_in_schema=False)
async def asset(name: FromPath[str], request: Request[Any, Any, Any]) -> Response[Any]:
    """Return a file of the pages; its name changes with its content, so browsers may cache it permanently."""
    bundle = await asyncio.to_thread(built)
    found = bundle.assets.get(name) if bundle else None
    if found is None:
        raise Problem("not-found", detail("no-file"))
    content, headers = found.encoded_for(request.headers.get("accept-encoding", ""))
    return Response(content, media_type=found.media_type, headers=headers)


handlers = [page, asset]
