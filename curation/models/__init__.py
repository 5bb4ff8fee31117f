"""The test collection, one noun a file."""

from .corpus import Corpus, CorpusLocale, Document, DocumentText, EmbeddingSpace
from .drafts import WordingDraft
from .drift import AliasSwap, DriftAlarm, LiveFile, LiveQuery, OverlapReading
from .gates import AnswerScore, FloorChange, GateCell, GateReport, GateSlice, Waiver
from .invitations import FailedSignIn, Invitation
from .jobs import Job, WorkerSign
from .measurements import QueryScore, RankedRun
from .mining import (
    Generation,
    HardNegative,
    LogQuery,
    Miner,
    MiningRun,
    NearDuplicateGroup,
    NearDuplicateMember,
    Proposal,
    TargetIndex,
)
from .people import LOCALE_LEAD, Membership, Role, User
from .planning import BookedHours, TrafficReading, TrafficShare, WritingAssignment
from .queries import CannotTell, Need, OpenDispute, Qrel, Query, QueryVector
from .sets import FrozenQrel, FrozenQuery, SetVersion
from .strata import PoolKind, QueryType, Slice, Stratum, Use
from .tokens import ApiToken, ApiUse, Scope
from .webhooks import Webhook, WebhookDelivery

__all__ = [
    "LOCALE_LEAD",
    "AliasSwap",
    "AnswerScore",
    "ApiToken",
    "ApiUse",
    "BookedHours",
    "CannotTell",
    "Corpus",
    "CorpusLocale",
    "Document",
    "DocumentText",
    "DriftAlarm",
    "EmbeddingSpace",
    "FailedSignIn",
    "FloorChange",
    "FrozenQrel",
    "FrozenQuery",
    "GateCell",
    "GateReport",
    "GateSlice",
    "Generation",
    "HardNegative",
    "Invitation",
    "Job",
    "LiveFile",
    "LiveQuery",
    "LogQuery",
    "Membership",
    "Miner",
    "MiningRun",
    "NearDuplicateGroup",
    "NearDuplicateMember",
    "Need",
    "OpenDispute",
    "OverlapReading",
    "PoolKind",
    "Proposal",
    "Qrel",
    "Query",
    "QueryScore",
    "QueryType",
    "QueryVector",
    "RankedRun",
    "Role",
    "Scope",
    "SetVersion",
    "Slice",
    "Stratum",
    "TargetIndex",
    "TrafficReading",
    "TrafficShare",
    "Use",
    "User",
    "Waiver",
    "Webhook",
    "WebhookDelivery",
    "WordingDraft",
    "WorkerSign",
    "WritingAssignment",
]
