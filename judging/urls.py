"""Addresses of judging, and of the pages that mix both apps."""

from django.urls import URLPattern, path

from judging.views import agreement, disagreements, home, judge, judging_again, mismatches, pools, rules, twins

urlpatterns: list[URLPattern] = [
    path("", home.my_work, name="my_work"),
    path("c/<slug:slug>/", home.home, name="home"),
    path("c/<slug:slug>/agreement/", agreement.agreement_page, name="agreement"),
    path("c/<slug:slug>/judge/", judge.judge, name="judge"),
    path("c/<slug:slug>/judge/<int:assignment>/", judge.judge_query, name="judge_query"),
    path("c/<slug:slug>/judge/<int:assignment>/mark", judge.judge_mark, name="judge_mark"),
    path("c/<slug:slug>/judge/<int:assignment>/mismatch", judge.judge_mismatch, name="judge_mismatch"),
    path("c/<slug:slug>/judge/<int:assignment>/undo", judge.judge_undo, name="judge_undo"),
    path("c/<slug:slug>/judge/<int:assignment>/skip", judge.judge_skip, name="judge_skip"),
    path("c/<slug:slug>/judge/<int:assignment>/finish", judge.judge_finish, name="judge_finish"),
    path("c/<slug:slug>/judging-rules/", rules.judging_rules, name="judging_rules"),
    path("c/<slug:slug>/judging-rules/strata", rules.judging_rules_strata, name="judging_rules_strata"),
    path("c/<slug:slug>/judging-rules/<int:stratum>/", rules.judging_rules_stratum, name="judging_rules_stratum"),
    path("c/<slug:slug>/queries/<int:query>/pool/", pools.query_pool, name="query_pool"),
    path("c/<slug:slug>/judge-again/", judging_again.judge_again, name="judge_again"),
    path("c/<slug:slug>/judge-again/send", judging_again.judge_again_send, name="judge_again_send"),
    path("c/<slug:slug>/mismatches/", mismatches.mismatches, name="mismatches"),
    path("c/<slug:slug>/mismatches/deal", mismatches.mismatch_deal, name="mismatch_deal"),
    path("c/<slug:slug>/twins/", twins.text_twins, name="twins"),
    path("c/<slug:slug>/disagreements/", disagreements.disagreements, name="disagreements"),
    path("c/<slug:slug>/disagreements/<int:dispute>/", disagreements.disagreement, name="disagreement"),
    path("c/<slug:slug>/disagreements/settle", disagreements.disagreement_settle, name="disagreement_settle"),
    path("c/<slug:slug>/disagreements/skip", disagreements.disagreement_skip, name="disagreement_skip"),
    path("c/<slug:slug>/disagreements/undo", disagreements.disagreement_undo, name="disagreement_undo"),
]
