"""The description of the API read for people: its endpoints and shapes in words, out of the OpenAPI file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

METHODS = ("get", "post", "put")
KINDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "object": "object",
    "null": "null",
}
BOUNDS = {
    "minimum": "from {}",
    "maximum": "to {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "maxItems": "at most {} of them",
}
Described = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class FieldRow:
    """A field of a body, of an answer or of an address."""

    name: str
    where: str
    kind: str
    needed: bool
    meaning: str


@dataclass(frozen=True, slots=True)
class Carried:
    """What a body or an answer is: its media type, and the shape that it has, "" where it has none by name."""

    name: str
    kind: str
    shape: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One operation. `scopes` are those that open it, empty where any does; `is_public` where no token is needed."""

    name: str
    method: str
    path: str
    meaning: str
    scopes: list[str]
    is_public: bool
    asked: list[FieldRow]
    bodies: list[Carried]
    answers: list[Carried]


@dataclass(frozen=True, slots=True)
class Shape:
    """What has a name among bodies and answers, and its fields."""

    name: str
    meaning: str
    fields: list[FieldRow]


@dataclass(frozen=True, slots=True)
class Reference:
    """Endpoints by what they are about, and the shapes that they name."""

    groups: Mapping[str, list[Endpoint]]
    shapes: list[Shape]


def reference_of(told: Described) -> Reference:
    """The page's content out of an OpenAPI description of ours."""
    groups: dict[str, list[Endpoint]] = {}
    for path, methods in told["paths"].items():
        for method in METHODS:
            if method in methods:
                groups.setdefault(methods[method]["tags"][0], []).append(_endpoint(method, path, methods[method]))
    schemas = told["components"]["schemas"]
    named = {each.shape for group in groups.values() for endpoint in group for each in endpoint.bodies}
    named |= {each.shape for group in groups.values() for endpoint in group for each in endpoint.answers}
    return Reference(groups, [_shape(name, schemas[name]) for name in _reached(named - {""}, schemas)])


def _endpoint(method: str, path: str, told: Described) -> Endpoint:
    body = told.get("requestBody", {})
    return Endpoint(
        name=told["operationId"],
        method=method.upper(),
        path=path,
        meaning=told.get("description", ""),
        scopes=told.get("x-scopes", []),
        is_public="security" not in told,
        asked=[
            FieldRow(each["name"], each["in"], _kind(each["schema"]), each["required"], _meaning(each["schema"]))
            for each in told.get("parameters", ())
        ],
        bodies=[Carried(kind, kind, _named(each), body.get("description", "")) for kind, each in _contents(body)],
        answers=_answers(told["responses"]),
    )


def _answers(told: Described) -> list[Carried]:
    """What is answered, statuses with the same answer together."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for status, answer in sorted(told.items()):
        for kind, schema in _contents(answer) or [("", {})]:
            key = (kind, _named(schema), "" if "$ref" in schema else answer["description"])
            found.setdefault(key, []).append(status)
    return [Carried(", ".join(statuses), *key) for key, statuses in found.items()]


def _contents(told: Described) -> list[tuple[str, Described]]:
    return [(kind, each["schema"]) for kind, each in told.get("content", {}).items()]


def _shape(name: str, schema: Described) -> Shape:
    needed = schema.get("required", ())
    fields = [
        FieldRow(field, "", _kind(each), field in needed, _meaning(each))
        for field, each in schema.get("properties", {}).items()
    ]
    return Shape(name, schema.get("description", ""), fields)


def _kind(schema: Described) -> str:
    """What a value may be, in words."""
    if name := _named(schema):
        return name
    if "enum" in schema or "const" in schema:
        return " or ".join(map(str, schema.get("enum") or [schema["const"]]))
    if "anyOf" in schema:
        return " or ".join(_kind(each) for each in schema["anyOf"])
    kind = f"list of {_kind(schema['items'])}" if "items" in schema else KINDS.get(schema.get("type", ""), "anything")
    bounds = [words.format(f"{schema[name]:,}") for name, words in BOUNDS.items() if name in schema]
    return ", ".join([kind, *bounds])


def _meaning(schema: Described) -> str:
    default = schema.get("default")
    stands = f"{default} where it is left out" if default not in (None, "", [], {}) else ""
    return "; ".join(filter(None, (schema.get("description", ""), stands)))


def _named(schema: Described) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _reached(names: set[str], schemas: Described) -> list[str]:
    """The shapes of these names and all that their fields name, in the order of the description."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _inside(schemas[name])
    return [name for name in schemas if name in found]


def _inside(schema: Any) -> list[str]:  # noqa: ANN401  (JSON)
    if isinstance(schema, dict):
        own = _named(schema) if isinstance(schema.get("$ref"), str) else ""
        return [*filter(None, [own]), *(name for each in schema.values() for name in _inside(each))]
    return [name for each in schema for name in _inside(each)] if isinstance(schema, list) else []
