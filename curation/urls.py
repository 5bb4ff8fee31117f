"""All addresses. What belongs to a corpus stands below `/c/<slug>/`."""

from django.contrib import admin
from django.contrib.auth import views as auth_views
from django.urls import include, path

from curation.forms.sign_in import SignInForm
from curation.views import (
    coverage,
    hard_negatives,
    health,
    imports,
    jobs,
    mining,
    needs,
    people,
    plan,
    queries,
    review,
    write,
)
from curation.views import settings as settings_views

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("login/", auth_views.LoginView.as_view(authentication_form=SignInForm), name="login"),
    path("logout/", auth_views.LogoutView.as_view(), name="logout"),
    path("password/", auth_views.PasswordChangeView.as_view(), name="password_change"),
    path("password/done/", auth_views.PasswordChangeDoneView.as_view(), name="password_change_done"),
    path(
        "welcome/<uidb64>/<token>/",
        auth_views.PasswordResetConfirmView.as_view(post_reset_login=True, success_url="/"),
        name="password_reset_confirm",
    ),
    path("settings/", settings_views.my_settings, name="my_settings"),
    path("c/<slug:slug>/people/", people.people, name="people"),
    path("c/<slug:slug>/people/<int:membership>/invite/", people.person_invite, name="person_invite"),
    path("c/<slug:slug>/people/<int:membership>/remove/", people.person_remove, name="person_remove"),
    path("c/<slug:slug>/coverage/", coverage.coverage_board, name="coverage"),
    path("c/<slug:slug>/coverage/export", coverage.coverage_export, name="coverage_export"),
    path("c/<slug:slug>/write/", write.write, name="write"),
    path("c/<slug:slug>/write/checks/", write.write_checks, name="write_checks"),
    path("c/<slug:slug>/write/skip/", write.write_skip, name="write_skip"),
    path("c/<slug:slug>/write/undo/", write.write_undo, name="write_undo"),
    path("c/<slug:slug>/queries/", queries.queries, name="queries"),
    path("c/<slug:slug>/queries/<int:query>/", queries.query, name="query"),
    path("c/<slug:slug>/queries/<int:query>/retire/", queries.query_retire, name="query_retire"),
    path("c/<slug:slug>/needs/", needs.needs, name="needs"),
    path("c/<slug:slug>/needs/add/", needs.need_add, name="need_add"),
    path("c/<slug:slug>/needs/<int:need>/", needs.need_edit, name="need_edit"),
    path("c/<slug:slug>/plan/", plan.plan, name="plan"),
    path("c/<slug:slug>/plan/<int:stratum>/", plan.plan_change, name="plan_change"),
    path("c/<slug:slug>/mining/", mining.mining, name="mining"),
    path("c/<slug:slug>/mining/start", mining.mining_start, name="mining_start"),
    path("c/<slug:slug>/mining/generation", mining.generation_start, name="generation_start"),
    path("c/<slug:slug>/mining/schedule/", mining.mining_schedule, name="mining_schedule"),
    path("c/<slug:slug>/jobs/<int:job>/", jobs.job, name="job"),
    path("c/<slug:slug>/jobs/<int:job>/cancel", jobs.job_cancel, name="job_cancel"),
    path("c/<slug:slug>/import/", imports.import_file, name="import"),
    path("c/<slug:slug>/import/<slug:token>/", imports.import_upload, name="import_upload"),
    path("c/<slug:slug>/import/<slug:token>/refused", imports.import_refused, name="import_refused"),
    path("c/<slug:slug>/review/", review.review, name="review"),
    path("c/<slug:slug>/review/<slug:family>/", review.review_family, name="review"),
    path("c/<slug:slug>/review/<slug:family>/<int:proposal>/check/", review.review_check, name="review_check"),
    path("c/<slug:slug>/review/<slug:family>/<int:proposal>/accept/", review.review_accept, name="review_accept"),
    path("c/<slug:slug>/review/<slug:family>/<int:proposal>/reject/", review.review_reject, name="review_reject"),
    path("c/<slug:slug>/review/<slug:family>/<int:proposal>/undo/", review.review_undo, name="review_undo"),
    path("c/<slug:slug>/hard-negatives/", hard_negatives.hard_negatives, name="hard_negatives"),
    path("c/<slug:slug>/hard-negatives/export", hard_negatives.hard_negatives_export, name="hard_negatives_export"),
    path("c/<slug:slug>/hard-negatives/send/", hard_negatives.suspects_send, name="suspects_send"),
    path(
        "c/<slug:slug>/hard-negatives/<int:negative>/send/",
        hard_negatives.hard_negative_send,
        name="hard_negative_send",
    ),
    path("admin/", admin.site.urls),
    path("", include("judging.urls")),
]
