"""`manage.py manifest`: write, verify, compare and show the record that travels inside an index."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from django.core.management.base import CommandError
from django.utils import timezone

from curation.actions.manifests import Expected, Verified, standing_in, verified_file, verify_manifest, write_manifest
from curation.actions.refusal import Refused
from curation.commandline import REFUSED, PlainCommand, corpus_named, write_out
from curation.formats.manifest import Manifest, json_schema, read_manifest, written
from curation.formats.manifest_checks import calibration_of, differences
from curation.formats.manifest_configuration import order_in, read_configuration
from curation.models import TargetIndex
from curation.reports.index_names import index_meant
from curation.reports.indexes import check_location
from curation.reports.manifest_evaluations import change_of
from curation.reports.manifests import HOMES, home_of, rows_of
from curation.retrieval.rows import Matrix
from curation.retrieval.vector_files import read_rows

DIFFERS = 1
INDEX = "INDEX, or SLUG/INDEX where several corpora have an index of that name"
WHERE = f"{INDEX}; or a file whose name ends in .json"


@dataclass(frozen=True, slots=True)
class Told:
    """What a subcommand found: its exit code, as JSON, and in lines."""

    code: int
    json: Mapping[str, Any]
    lines: list[str] = field(default_factory=list)


class Command(PlainCommand):
    """Manifests: exit 0 where all is well, 1 where something is refused or differs, 2 where it could not run."""

    help = "The manifest of an index: write, check, verify, diff, show. Exit 0 fine, 1 refused or differs, 2 not run."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One subcommand, and what it takes."""
        verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
        write = verbs.add_parser("write", help="write the manifest of a file into an index")
        write.add_argument("index", metavar="SLUG/INDEX", help=INDEX)
        write.add_argument("file", type=Path)
        write.add_argument("--kind", choices=[kind.value for kind in HOMES], help="of an index that is not added yet")
        write.add_argument("--location", default="", help="where that one is, in the form of its kind")
        check = verbs.add_parser("check", help="ask, before a collection is built, whether its hashes may be written")
        check.add_argument("file", type=Path)
        check.add_argument("--against", metavar="SLUG/INDEX", help="the index whose hashes are the standing ones")
        check.add_argument("--arrays", type=Path, metavar="FOLDER", help="put scale.npy and centre.npy there")
        check.add_argument("--out", type=Path, help="write the manifest with whole hashes there")
        verify = verbs.add_parser("verify", help="hold the manifest against its index and a configuration")
        verify.add_argument("where", help=WHERE)
        verify.add_argument("--config", type=Path, help="JSON or TOML with truncate_to and transform_order")
        verify.add_argument("--truncate-to", type=int)
        verify.add_argument("--transform-order", metavar="STEP,STEP")
        diff = verbs.add_parser("diff", help="the fields in which two manifests differ")
        diff.add_argument("one", help=WHERE)
        diff.add_argument("other", help=WHERE)
        show = verbs.add_parser("show", help="print the manifest")
        show.add_argument("where", help=WHERE)
        schema = verbs.add_parser("schema", help="print the JSON Schema of version 2")
        for verb in (write, check, verify):
            verb.add_argument("--sample", type=Path, metavar="FILE.npy", help="the calibration sample, hashed anew")
        for verb in (write, check, verify, diff, show, schema):
            verb.add_argument("--json", action="store_true", help="answer as JSON")

    def handle(self, *_args: object, verb: str, **options: Any) -> None:
        """Do it, tell, and exit with what came out."""
        try:
            told = VERBS[verb](options)
        except (ValueError, OSError) as refusal:
            raise CommandError(sentence_of(refusal), returncode=REFUSED) from refusal
        self.stdout.write(
            json.dumps(told.json, ensure_ascii=False, indent=1) if options["json"] else "\n".join(told.lines)
        )
        if told.code:
            raise SystemExit(told.code)


def sentence_of(fault: Exception) -> str:
    """What kept the command from running."""
    return f"{fault.filename} cannot be read: {fault.strerror}." if isinstance(fault, OSError) else str(fault)


def write(options: Mapping[str, Any]) -> Told:
    """Write a manifest into an index."""
    index, given = index_written(options), manifest_in(options["file"])
    try:
        rows = calibration_rows_in(options)
        change = write_manifest(index=index, given=given, calibration_rows=rows, now=timezone.now())
    except Refused as refusal:
        return Told(DIFFERS, {"written": False, "reasons": [str(refusal)]}, [str(refusal)])
    report = change.evaluation
    evaluated = f" {'; '.join(change.changes)}. {report} allows it ({report.verdict})." if report else ""
    return Told(
        0, change.as_json() | {"manifest": index.manifest}, [f"The manifest of {index.name} is written.{evaluated}"]
    )


def check(options: Mapping[str, Any]) -> Told:
    """Whether a build job may write the collection."""
    given, calibration_rows = manifest_in(options["file"]), calibration_rows_in(options)
    standing = standing_in(home_of(index_meant(options["against"]))) if options["against"] else None
    change = change_of(given, standing=standing, calibration_rows=calibration_rows)
    if change.refusal:
        return Told(DIFFERS, {"allowed": False, "reasons": list(change.changes)}, [f"Do not build: {change.refusal}"])
    if options["arrays"]:
        put_arrays(options["arrays"], given, calibration_rows)
    if options["out"]:
        write_out(options["out"], written(change.manifest))
    hashes = {"scale_sha256": change.manifest.scale_sha256, "centre_sha256": change.manifest.centre_sha256}
    lines = [f"{name} {value or 'none'}" for name, value in hashes.items()]
    return Told(0, {"allowed": True, "changes": change.changes, **hashes}, [*lines, "The collection may be built."])


def put_arrays(folder: Path, manifest: Manifest, calibration_rows: Matrix | None) -> None:
    """Write the arrays that the steps centre and quantise go by.

    Raises:
        Refused: there is no sample to compute them from.
    """
    if calibration_rows is None:
        raise Refused("The arrays are computed from the calibration sample; name it with --sample.")
    calibration = calibration_of(manifest, calibration_rows)
    folder.mkdir(parents=True, exist_ok=True)
    for name, array in (("scale", calibration.scale), ("centre", calibration.centre)):
        if array is not None:
            with (folder / f"{name}.npy").open("wb") as file:
                np.lib.format.write_array(file, array)


def verify(options: Mapping[str, Any]) -> Told:
    """Hold a manifest against its index, a configuration and a sample."""
    expected = expected_in(options)
    if is_file(options["where"]):
        verified = verified_file(manifest_in(Path(options["where"])), expected)
    else:
        verified = verify_manifest(index=index_meant(options["where"]), expected=expected, now=timezone.now())
    return verified_told(options["where"], verified)


def verified_told(where: str, verified: Verified) -> Told:
    """What speaks against the manifest, or that nothing does."""
    if verified.faults:
        return Told(DIFFERS, verified.as_json(), [f"{where}: {fault}" for fault in verified.faults])
    return Told(0, verified.as_json(), [f"{where}: the manifest agrees with all that it was held against."])


def expected_in(options: Mapping[str, Any]) -> Expected:
    """What the options say that the manifest is held against; a flag wins over the file.

    Raises:
        ManifestRefused: the configuration cannot be read.
    """
    path, expected = options["config"], Expected(calibration_rows=calibration_rows_in(options))
    if path:
        configuration = read_configuration(path.read_bytes(), name=path.name)
        expected = replace(
            expected, truncate_to=configuration.truncate_to, transform_order=configuration.transform_order
        )
    if options["truncate_to"] is not None:
        expected = replace(expected, truncate_to=options["truncate_to"])
    if options["transform_order"] is not None:
        expected = replace(expected, transform_order=order_in(options["transform_order"]))
    return expected


def diff(options: Mapping[str, Any]) -> Told:
    """The fields in which two manifests differ."""
    one, other = (manifest_at(options[name]) for name in ("one", "other"))
    found = differences(one, other)
    told = [{"path": each.path, "one": each.one, "other": each.other} for each in found]
    lines = [str(each) for each in found] or ["The two manifests do not differ."]
    return Told(DIFFERS if found else 0, {"differences": told}, lines)


def show(options: Mapping[str, Any]) -> Told:
    """The manifest, in its main lines or whole."""
    manifest = manifest_at(options["where"])
    return Told(0, manifest.as_json(), [f"{name:<16} {value}" for name, value in rows_of(manifest)])


def schema(_options: Mapping[str, Any]) -> Told:
    """The JSON Schema."""
    return Told(0, json.loads(json_schema()), [json_schema().rstrip()])


def manifest_at(where: str) -> Manifest:
    """The manifest in a file or in an index.

    Raises:
        Refused: the index holds none.
        ManifestRefused, IndexRefused: it cannot be read.
    """
    if is_file(where):
        return manifest_in(Path(where))
    found = home_of(index_meant(where)).read()
    if found is None:
        raise Refused(f"{where} holds no manifest; write one with manage.py manifest write.")
    return found


def manifest_in(path: Path) -> Manifest:
    """The manifest in a file."""
    return read_manifest(path.read_bytes(), name=path.name)


def index_written(options: Mapping[str, Any]) -> TargetIndex:
    """The index to write into: one that was added, or one that `--kind` and `--location` tell of, which is not stored.

    Raises:
        Refused, IndexRefused: as `index_meant`, the location is none, or one of the two options stands alone.
    """
    if bool(options["kind"]) != bool(options["location"]):
        raise Refused("An index that is not added yet needs both, --kind and --location; give the other one too.")
    if not options["kind"]:
        return index_meant(options["index"])
    slug, _, name = options["index"].partition("/")
    kind, location = TargetIndex.Kind(options["kind"]), options["location"]
    check_location(kind, location)
    return TargetIndex(corpus=corpus_named(slug), name=name or location, kind=kind, location=location)


def is_file(where: str) -> bool:
    """Whether a file is meant; no index has a name that ends so."""
    return where.endswith(".json")


def calibration_rows_in(options: Mapping[str, Any]) -> Matrix | None:
    """The calibration sample, where one is named."""
    return read_rows(options["sample"]) if options["sample"] else None


VERBS: Mapping[str, Callable[[Mapping[str, Any]], Told]] = {
    "write": write,
    "check": check,
    "verify": verify,
    "diff": diff,
    "show": show,
    "schema": schema,
}
