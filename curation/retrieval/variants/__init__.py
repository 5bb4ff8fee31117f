"""The same query as a native types it in another spelling: one short file per family of writing."""

from curation.retrieval.variants.kinds import Kind, kinds_of
from curation.retrieval.variants.spellings import Spelling, changes_cell, spelling_of, spellings

__all__ = ["Kind", "Spelling", "changes_cell", "kinds_of", "spelling_of", "spellings"]
