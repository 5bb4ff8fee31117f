"""All addresses. What belongs to a corpus stands below `/c/<slug>/`."""

from django.contrib import admin
from django.contrib.auth import views as auth_views
from django.urls import include, path

from curation.views import coverage, health, people
from curation.views import settings as settings_views

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("login/", auth_views.LoginView.as_view(), name="login"),
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
    path("admin/", admin.site.urls),
    path("", include("judging.urls")),
]
