"""Addresses of judging, and of the pages that mix both apps."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
