"""Elasticsearch and OpenSearch as far as Hardset asks them; a request that the real ones would refuse gets 400."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

from tests.loopback import Answer, Asked

SHARDS = {"total": 2, "successful": 2, "skipped": 0, "failed": 0}
LOGIN = {f"Basic {b64encode(b'hardset:pass').decode()}", "ApiKey a2V5"}


class Refused(Exception):
    """A request that is answered with this status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def need(truth: bool, status: int = 400) -> None:
    if not truth:
        raise Refused(status)


@dataclass
class SearchServer:
    """One index `kb` of documents `{"_id", fields…}`, searched by shared words or by the product of vectors."""

    dialect: str
    documents: list[dict[str, Any]] = field(default_factory=list)
    changes: int = 0
    scrolls: dict[str, tuple[dict[str, Any], int]] = field(default_factory=dict)
    shards: dict[str, int] = field(default_factory=lambda: dict(SHARDS))
    timed_out: bool = False

    def __call__(self, asked: Asked) -> Answer:
        try:
            need(asked.headers.get("authorization") in LOGIN, 401)
            return Answer(self.route(asked))
        except Refused as refused:
            return Answer({"error": {"reason": "secret reply"}, "status": refused.status}, refused.status)

    def route(self, asked: Asked) -> dict[str, Any]:
        url = urlsplit(asked.path)
        options = {name: values[0] for name, values in parse_qs(url.query).items()}
        match (asked.method, url.path.strip("/").split("/")):
            case ("POST", ["_search", "scroll"]):
                need(asked.json == {"scroll": "1m", "scroll_id": asked.json["scroll_id"]})
                return self.page(asked.json["scroll_id"])
            case ("DELETE", ["_search", "scroll"]):
                for number in asked.json["scroll_id"]:
                    need(self.scrolls.pop(number, None) is not None, 404)
                return {"succeeded": True}
        match (asked.method, url.path.strip("/").split("/")):
            case (method, [index, *words]):
                need(index == "kb", 404)
        match (method, words, options):
            case ("POST", ["_msearch"], {}):
                need(asked.headers["content-type"] == "application/x-ndjson")
                return {"took": 1, "responses": self.searches(asked.lines)}
            case ("POST", ["_search"], {"scroll": "1m"}):
                need(asked.json["sort"] == ["_doc"] and asked.json["track_total_hits"] is True)
                number = f"scroll-{len(self.scrolls)}"
                self.scrolls[number] = (asked.json, 0)
                return self.page(number)
            case ("GET", ["_stats", "docs"], {"level": "shards"}):
                return self.stats()
        raise Refused(405)

    def searches(self, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
        need(len(lines) % 2 == 0 and all(header == {"allow_partial_search_results": False} for header in lines[::2]))
        return [self.search(body) for body in lines[1::2]]

    def search(self, body: dict[str, Any]) -> dict[str, Any]:
        known = {"size", "_source", "track_total_hits", "fields", "query", "knn"}
        need(set(body) <= known and 0 < body["size"] <= 10_000 and body["_source"] is False)
        scores = [(self.score(document, body), document) for document in self.documents]
        hits = sorted((pair for pair in scores if pair[0] > 0), key=lambda pair: -pair[0])
        return self.answer([self.hit(body, document, score) for score, document in hits[: body["size"]]])

    def score(self, document: dict[str, Any], body: dict[str, Any]) -> float:
        match body:
            case {"query": {"multi_match": {"query": text, "fields": fields, **rest}}, **other}:
                need(not rest and "knn" not in other)
                return float(
                    sum(word in str(document.get(name, "")).split() for name in fields for word in text.split())
                )
            case {"query": {"knn": {**by_field}}} if self.dialect == "opensearch":
                ((name, wanted),) = cast("dict[str, dict[str, Any]]", by_field).items()
                need(set(wanted) == {"vector", "k"} and wanted["k"] == body["size"])
                return self.product(document[name], wanted["vector"])
            case {"knn": {"field": name, "query_vector": vector, "k": k, "num_candidates": candidates, **rest}}:
                need(self.dialect == "elasticsearch" and "query" not in body and not rest)
                need(k == body["size"] and k <= candidates <= 10_000)
                return self.product(document[name], vector)
        raise Refused(400)

    @staticmethod
    def product(one: list[float], other: list[float]) -> float:
        need(len(one) == len(other))
        return (1 + sum(a * b for a, b in zip(one, other, strict=True))) / 2

    def hit(self, body: dict[str, Any], document: dict[str, Any], score: float | None) -> dict[str, Any]:
        found: dict[str, Any] = {"_index": "kb", "_id": document["_id"], "_score": score}
        fields = {name: document[name] for name in body.get("fields", []) if name in document}
        lists = {name: value if isinstance(value, list) else [value] for name, value in fields.items()}
        return {**found, "fields": lists} if lists else found

    def answer(self, hits: list[dict[str, Any]]) -> dict[str, Any]:
        return {"timed_out": self.timed_out, "_shards": self.shards, "hits": {"hits": hits}, "status": 200}

    def page(self, number: str) -> dict[str, Any]:
        need(number in self.scrolls, 404)
        body, first = self.scrolls[number]
        self.scrolls[number] = (body, first + body["size"])
        page = self.answer([self.hit(body, one, None) for one in self.documents[first : first + body["size"]]])
        page["hits"]["total"] = {"value": len(self.documents), "relation": "eq"}
        return {"_scroll_id": number, **page}

    def stats(self) -> dict[str, Any]:
        def copies(change: int) -> list[dict[str, Any]]:
            return [
                {"routing": {"primary": primary, "node": "n"}, "docs": {}, "seq_no": {"max_seq_no": last}}
                for primary, last in ((False, -1), (True, change))
            ]

        shards = {"0": copies(self.changes), "1": copies(7)}
        return {"_shards": self.shards, "_all": {}, "indices": {"kb-000001": {"uuid": "u-1", "shards": shards}}}
