"""Write the bill of materials of a release: what the wheel installs, and whose code is in its web pages.

    python release/sbom.py SECONDS > pitbook-VERSION.cdx.json

The file is CycloneDX 1.6 in JSON. SECONDS, since 1970, is the date that it carries, so that the same commit gives the
same bytes. Python packages are those that the lock has installed here: the project's own requirements and those of all
its extras, followed to the end.
"""

from __future__ import annotations

import re
import sys
from datetime import UTC, datetime
from importlib.metadata import Distribution, distribution
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = "pitbook"
NOTICES = Path(__file__).parent.parent / "src" / "pitbook" / "server" / "static" / "ui" / "THIRD-PARTY-NOTICES.txt"
NOTICE = re.compile(r"^(\S+) (\S+) \(([^)]+)\)$", re.MULTILINE)


def requirements(name: str, extras: frozenset[str]) -> list[Requirement]:
    """Return what an installed package requires here, with these extras."""
    found = [Requirement(line) for line in distribution(name).requires or ()]
    return [one for one in found if one.marker is None or any(one.marker.evaluate({"extra": e}) for e in ("", *extras))]


def installed() -> dict[str, bool]:
    """Return the packages that the project needs, and whether it needs them without any extra."""
    found: dict[str, bool] = {}
    every = frozenset(distribution(PROJECT).metadata.get_all("Provides-Extra") or ())
    for extras in (every, frozenset[str]()):
        pending, seen = [(PROJECT, extras)], set[tuple[str, frozenset[str]]]()
        while pending:
            name, wanted = pending.pop()
            if (name, wanted) in seen:
                continue
            seen.add((name, wanted))
            pending += [(canonicalize_name(one.name), frozenset(one.extras)) for one in requirements(name, wanted)]
        found |= {name: extras == frozenset() for name, _ in seen if name != PROJECT}
    return found


def license_of(package: Distribution) -> str | None:
    """Return the licence that a package states, if it is short enough to be a name or an expression."""
    fields = package.metadata.json
    stated = str(fields.get("license_expression") or fields.get("license") or "")
    return stated if stated and len(stated) < 100 and "\n" not in stated else None


def component(kind: str, name: str, version: str, licence: str | None, *, optional: bool) -> Component:
    """Return one entry of the bill."""
    group, _, short = name.rpartition("/")
    purl = PackageURL(kind, group or None, short, version)
    return Component(
        name=name,
        version=version,
        bom_ref=str(purl),
        purl=purl,
        scope=ComponentScope.OPTIONAL if optional else ComponentScope.REQUIRED,
        licenses=[LicenseFactory().make_from_string(licence)] if licence else [],
    )


def bill(seconds: int) -> Bom:
    """Return the bill of materials."""
    own = distribution(PROJECT)
    packages = [(distribution(name), required) for name, required in sorted(installed().items())]
    bom = Bom(
        serial_number=uuid5(NAMESPACE_URL, f"{PROJECT} {own.version} {seconds}"),
        components=[
            *(
                component("pypi", canonicalize_name(one.name), one.version, license_of(one), optional=not required)
                for one, required in packages
            ),
            *(
                component("npm", name, version, licence, optional=False)
                for name, version, licence in NOTICE.findall(NOTICES.read_text(encoding="utf-8"))
            ),
        ],
    )
    bom.metadata.timestamp = datetime.fromtimestamp(seconds, UTC)
    bom.metadata.component = Component(
        name=PROJECT,
        version=own.version,
        type=ComponentType.APPLICATION,
        bom_ref=f"{PROJECT}-{own.version}",
        purl=PackageURL("pypi", None, PROJECT, own.version),
        licenses=[LicenseFactory().make_from_string("Apache-2.0")],
    )
    bom.register_dependency(bom.metadata.component, bom.components)
    return bom


if __name__ == "__main__":
    output = make_outputter(bill(int(sys.argv[1])), OutputFormat.JSON, SchemaVersion.V1_6)
    print(output.output_as_string(indent=2))
