"""Addresses of judging, and of the pages that mix both apps."""

from django.urls import URLPattern, path

from judging.views import home

urlpatterns: list[URLPattern] = [
    path("", home.my_work, name="my_work"),
    path("c/<slug:slug>/", home.home, name="home"),
]
