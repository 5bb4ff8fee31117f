"""`manage.py import_corpus SLUG PATH`: documents, their traffic, and the vectors to search them by."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from curation.actions.corpora import CorpusAsked, import_corpus
from curation.actions.embeddings import Brought, encode_corpus, encoder_for, encoders_for, store_vectors
from curation.actions.receipts import Intake, Receipt
from curation.actions.refusal import Refused
from curation.commandline import ImportCommand, corpus_named
from curation.formats.faults import Fault, Notice
from curation.formats.traffic import read_traffic
from curation.importers import witnessed
from curation.reports.traffic import remark_in_use
from curation.retrieval.vector_files import read_jsonl, read_npy
from curation.retrieval.vectors import Vectors, VectorsRefused


class Command(ImportCommand):
    """Import documents and encode them."""

    help = "Import documents; a corpus that is new is made. It is encoded with lsa unless --encoder names another."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take what a corpus needs besides its documents."""
        super().add_arguments(parser)
        parser.add_argument("--name", default="", help="the corpus's name on screen, where it is new")
        parser.add_argument("--traffic", type=Path, help="JSON or CSV of locale and share; the shares sum to 1")
        parser.add_argument("--whole", action="store_true", help="mark documents that the file lacks as gone")
        parser.add_argument("--encoder", default="", help="the encoder to use from now on, such as lsa or use")
        parser.add_argument("--vectors", type=Path, help="vectors made elsewhere: .npy with --ids, or JSONL")
        parser.add_argument("--ids", type=Path, help="the id of each row of --vectors, one a line")
        parser.add_argument("--encoder-name", default="", help="which encoder made --vectors")
        parser.add_argument("--revision", default="", help="which revision of it")
        parser.add_argument("--native-dims", type=int, help="its own width, where --vectors are cut")

    def bring(self, intake: Intake, options: dict[str, Any], now: datetime) -> Receipt:
        """Import the documents, then encode them or store the vectors brought along."""
        encoders_for(options["encoder"])
        vectors = brought_vectors(options)
        asked = CorpusAsked(options["slug"], options["name"], vectors_of=vectors.ids if vectors else None)
        receipt = self.store(asked, intake, options=options, now=now)
        if receipt.dry_run or not (receipt.stored or receipt.merged):
            return receipt
        corpus = corpus_named(options["slug"])
        remark = remark_in_use(corpus) if options["traffic"] else ""
        said = (Notice(0, "", remark),) if remark else ()
        receipt = replace(receipt, notices=(*receipt.notices, *said, *witnessed(corpus)))
        try:
            told = tuple(Notice(0, "", text) for text in self.make_space(options, vectors))
        except (Refused, VectorsRefused) as refusal:
            unplaced = Fault(0, "", f"The documents are stored, but have no vectors yet: {refusal}")
            return replace(receipt, errors=(*receipt.errors, unplaced))
        return replace(receipt, notices=(*receipt.notices, *told))

    def store(self, asked: CorpusAsked, intake: Intake, *, options: dict[str, Any], now: datetime) -> Receipt:
        """Call the action."""
        traffic = read_traffic(options["traffic"]) if options["traffic"] else {}
        return import_corpus(asked=replace(asked, whole=options["whole"], traffic=traffic), intake=intake, now=now)

    def make_space(self, options: dict[str, Any], vectors: Vectors | None) -> list[str]:
        """Give the corpus vectors that fit it; what to say about them."""
        corpus = corpus_named(options["slug"])
        if vectors is not None:
            brought = Brought(options["encoder_name"] or vectors.encoder, options["revision"], options["native_dims"])
            space = store_vectors(corpus=corpus, vectors=vectors, brought=brought)
            return [*vectors.notices, f"{space.rows:,} vectors of {space} are stored, {space.dims:,} dimensions."]
        encoder = encoder_for(corpus, options["encoder"])
        if not encoder:
            return ["The vectors of this corpus were brought along; bring new ones with --vectors where texts changed."]
        space = encode_corpus(corpus=corpus, encoder=encoder, progress=self.show_progress, fitting=self.show_fit)
        return [f"{space.rows:,} documents are encoded with {space}, {space.dims:,} dimensions."]

    def show_fit(self, done: int, total: int) -> None:
        """Count the steps of fitting the encoder to the documents."""
        self.say(f"{done:,} of {total:,} steps of fitting the encoder done")

    def show_progress(self, done: int, total: int) -> None:
        """Count the documents that are encoded."""
        self.say(f"encoded {done:,} of {total:,} documents", last=done == total)


def brought_vectors(options: dict[str, Any]) -> Vectors | None:
    """The vectors named on the command line, None where none are.

    Raises:
        Refused: an option that must go with them is missing.
        VectorsRefused: the file cannot be used.
    """
    path: Path | None = options["vectors"]
    if path is None:
        return None
    is_npy = path.suffix == ".npy"
    if is_npy and options["ids"] is None:
        raise Refused("--vectors with a .npy file needs --ids, a text file with the id of each row.")
    for named in (path, *([options["ids"]] if is_npy else [])):
        if not named.is_file():
            raise Refused(f"No file can be read at {named}.")
    vectors = read_npy(path, options["ids"]) if is_npy else read_jsonl(path)
    if not (options["encoder_name"] or vectors.encoder):
        raise Refused("--vectors needs --encoder-name: vectors whose encoder nobody knows cannot be searched.")
    return vectors
