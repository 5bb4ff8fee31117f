"""Qdrant over HTTP as far as Hardset asks it: the answers are those of the client library's local mode."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from qdrant_client import QdrantClient, models

from tests.loopback import Answer, Asked

KEY = "a2V5"


@dataclass
class QdrantServer:
    """One key and whatever collections the local client holds."""

    local: QdrantClient

    def __call__(self, asked: Asked) -> Answer:
        if asked.headers.get("api-key") != KEY:
            return Answer({"status": {"error": "secret reply"}}, 401)
        match (asked.method, asked.path.partition("?")[0].strip("/").split("/")):
            case (_, ["collections", name, *_]) if not self.local.collection_exists(name):
                return Answer({"status": {"error": "secret reply"}}, 404)
            case ("GET", ["collections", name]):
                return self.said(self.local.get_collection(name))
            case ("POST", ["collections", name, "points", "query", "batch"]):
                requests = [models.QueryRequest.model_validate(search) for search in asked.json["searches"]]
                return self.said(self.local.query_batch_points(name, requests))
            case ("POST", ["collections", name, "points", "scroll"]):
                question = models.ScrollRequest.model_validate(asked.json)
                points, page = self.local.scroll(
                    name,
                    limit=question.limit or 10,
                    offset=question.offset,
                    with_payload=question.with_payload or False,
                    with_vectors=question.with_vector or False,
                )
                return self.said({"points": points, "next_page_offset": page})
        return Answer({"status": {"error": "secret reply"}}, 400)

    @staticmethod
    def said(answer: Any) -> Answer:
        plain = json.loads(json.dumps(answer, default=lambda part: part.model_dump(mode="json")))
        return Answer({"result": plain, "status": "ok", "time": 0.0})
