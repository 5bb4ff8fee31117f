"""Short keyword queries of a log: folded, counted, and free of personal particulars."""

import csv
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.miners.personal import masked, particulars
from curation.miners.short_keyword import LogLine, ShortKeywords, mine

LOG = Path(os.environ.get("HARDSET_SHARED", "../shared")) / "data" / "covid-query-log" / "querylog.csv"


def asked(mined: ShortKeywords) -> list[tuple[str, int]]:
    return [(query.text, query.count) for query in mined.queries]


def test_lines_that_fold_alike_are_one_query_as_it_was_written_most() -> None:
    lines = [LogLine("Hail  damage", "en", 2), LogLine("hail damage", "en", 5), LogLine("HAIL DAMAGE", "de", 1)]
    (query,) = mine(lines).queries
    assert (query.text, query.count, query.tokens) == ("hail damage", 8, 2)
    assert (query.locale, query.locales) == ("en", (("en", 7), ("de", 1)))


def test_turkish_letters_fold_by_turkish_rules() -> None:
    lines = [LogLine("ISI HASARI", "tr"), LogLine("ısı hasarı", "tr"), LogLine("isi hasari", "tr")]
    assert [(query.count, query.script) for query in mine(lines).queries] == [(2, "Latn"), (1, "Latn-plain")]


@pytest.mark.parametrize(
    ("text", "locale", "tokens"),
    [
        ("how much is the deductible", "en", 5),
        ("サイバー 身代金", "ja", 3),
        ("ประกันภัยรถยนต์", "th", 3),
        ("冠状病毒症状", "zh-Hans", 3),
        ("CY-EX-114", "en", 1),
    ],
)
def test_tokens_are_those_of_the_language(text: str, locale: str, tokens: int) -> None:
    (query,) = mine([LogLine(text, locale)]).queries
    assert query.tokens == tokens


def test_six_tokens_are_too_many_with_or_without_spaces() -> None:
    lines = [LogLine("how much is the hail deductible", "en"), LogLine("洪水で壊れた車は補償されますか", "ja")]
    mined = mine(lines)
    assert mined.queries == ()
    assert mined.long == 2


def test_queries_are_ranked_by_count_then_text() -> None:
    lines = [LogLine("b", "en", 2), LogLine("a", "en", 2), LogLine("c", "en", 9)]
    assert asked(mine(lines)) == asked(mine(reversed(lines))) == [("c", 9), ("a", 2), ("b", 2)]


def test_scripts_are_counted() -> None:
    lines = [LogLine(text, "ja") for text in ("代車", "水漏れ", "ダイビング")] + [LogLine("marder", "de")]
    assert mine(lines).by_script == {"Jpan-kanji": 2, "Jpan-kana": 1, "Latn-plain": 1}


def test_a_line_without_a_locale_gets_the_hint() -> None:
    (query,) = mine([LogLine("hasar")], locale_of=lambda _text: "tr").queries
    assert query.locale == "tr"
    assert mine([LogLine("hasar")]).queries[0].locale == "und"


def test_a_line_of_signs_is_no_query() -> None:
    mined = mine([LogLine("???", "en"), LogLine("  ", "en")])
    assert (mined.queries, mined.long) == ((), 0)


def test_a_query_cut_off_in_a_word_is_set_aside_with_its_completion() -> None:
    lines = [LogLine("hail dama", "en", 6), LogLine("hail damage", "en", 51), LogLine("hail", "en", 1)]
    mined = mine(lines)
    assert asked(mined) == [("hail damage", 51), ("hail", 1)]
    assert [(cut.query.text, cut.longer) for cut in mined.cut_off] == [("hail dama", "hail damage")]


def test_a_long_query_completes_a_short_one() -> None:
    mined = mine([LogLine("coronavirus deat", "en"), LogLine("coronavirus death toll in italy by day", "en")])
    assert [cut.longer for cut in mined.cut_off] == ["coronavirus death toll in italy by day"]


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(
            [LogLine("n95 mask", "en", 2), LogLine("n95 masks", "en", 9), LogLine("mask size", "en")], id="word"
        ),
        pytest.param([LogLine("windscreen chip", "en", 9), LogLine("windscreen chips", "en", 1)], id="commoner"),
        pytest.param([LogLine("冠状病毒", "zh-Hans"), LogLine("冠状病毒症状", "zh-Hans", 5)], id="whole words"),
    ],
)
def test_a_whole_word_is_not_cut_off(lines: list[LogLine]) -> None:
    assert mine(lines).cut_off == ()


def test_a_word_of_the_corpus_is_not_cut_off() -> None:
    lines = [LogLine("marder", "de", 8), LogLine("marderbiss", "de", 13)]
    assert [cut.query.text for cut in mine(lines).cut_off] == ["marder"]
    assert mine(lines, known={"marder"}).cut_off == ()


def test_a_query_with_a_particular_is_refused_and_only_its_mask_is_kept() -> None:
    lines = [LogLine("call +90 532 123 45 67", "en", 2), LogLine("Call +90 532 123 45 67", "tr"), LogLine("hail", "en")]
    mined = mine(lines)
    assert asked(mined) == [("hail", 1)]
    assert [(each.kinds, each.count) for each in mined.refused] == [(("telephone number",), 3)]
    assert mined.refused[0].masked == "call [telephone number]"
    assert "532" not in repr(mined)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("jo.doe@example.org claim status", "[mail address] claim status"),
        ("0532 123 45 67 arayın", "[telephone number] arayın"),
        ("800-123-4567", "[telephone number]"),
        ("+4930123456", "[telephone number]"),
        ("card 4111 1111 1111 1111 refused", "card [card number] refused"),
        ("DE89 3704 0044 0532 0130 00", "[account number]"),
        ("policy no 123456", "policy no [policy number]"),
        ("Police Nr. AB-4711-22", "Police Nr. [policy number]"),
        ("poliçe 8812345", "poliçe [policy number]"),
        ("10000000146", "[number]"),
        ("(415) 555-2671", "[telephone number]"),
        ("+1 (415) 555-2671", "[telephone number]"),
        ("0049 (0) 30 1234567", "[telephone number]"),
        ("06 12 34 56 78", "[telephone number]"),
        ("8 (495) 123-45-67", "[telephone number]"),
        ("03-1234-5678 保険", "[telephone number] 保険"),
        ("13812345678 理赔", "[number] 理赔"),
        ("٠٥٣٢ ١٢٣ ٤٥ ٦٧", "[telephone number]"),
        ("๐๘๑-๒๓๔-๕๖๗๘", "[telephone number]"),
        ("０３−１２３４", "０３−１２３４"),
        ("４１１１ １１１１ １１１１ １１１１", "[card number]"),
        ("4111 1111 1111 1112", "[telephone number]"),
        ("jo＠example.org", "[mail address]"),
        ("GB82 WEST 1234 5698 7654 32", "[account number]"),
        ("fr1420041010050500013m02606", "[account number]"),
        ("claim jo\u200b.doe@\u200bexample.org now", "claim [mail address] now"),
        ("\u202a0532\u200d 123\u00ad 45 67\u202c arayın", "\u202a[telephone number]\u202c arayın"),
        ("4111\u200b1111\u200b1111\u200b1111", "[card number]"),
    ],
)
def test_personal_particulars_are_masked(text: str, shown: str) -> None:
    assert masked(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "coronavirus 2019 2020", "2026-07-01", "01.07.2026", "1000000 usd", "15.000.000 tl", "AUTH-37", "ORA-00942",
        "KB4023057", "CY-EX-114", "iphone 12", "cardiology 2019", "policy 2024 wording", "policy limit 15000",
        "customer 2024-2025", "1.000.000 - 2.000.000", "500–1000 eur", "2019 - 2020 - 2021", "vacant house 90 days", "130 percent rule",
    ],
)  # fmt: skip
def test_dates_amounts_and_error_codes_are_not_personal(text: str) -> None:
    assert particulars(text) == []


@given(st.text(alphabet=st.sampled_from("0123456789 -+./()@aZéİ.DE\u200b\u00ad"), max_size=40))
def test_a_masked_text_holds_no_particular(text: str) -> None:
    assert particulars(masked(text)) == []


def test_progress_ends_at_its_total_and_may_cancel() -> None:
    seen: list[tuple[int, int]] = []
    mine([LogLine("a", "en"), LogLine("b", "en")], progress=lambda done, total: seen.append((done, total)))
    assert seen == [(2, 4), (4, 4)]

    def cancel(_done: int, _total: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        mine([LogLine("a", "en")], progress=cancel)


@pytest.mark.skipif(not LOG.is_file(), reason=f"{LOG} is not here: set HARDSET_SHARED")
def test_a_real_log_gives_its_common_queries() -> None:
    with LOG.open(encoding="utf-8", newline="") as file:
        lines = [LogLine(row["query"]) for row in csv.DictReader(file)]
    mined = mine(lines)
    assert len(lines) == 33_871
    assert asked(mined)[:3] == [("coronavirus", 1628), ("corona virus", 858), ("coronavirus symptoms", 388)]
    assert 5_500 <= len(mined.queries) <= 6_000
    assert "coronaviru" in {cut.query.text for cut in mined.cut_off}
    assert sum(mined.by_script.values()) == len(mined.queries)
