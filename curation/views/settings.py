"""What a person chooses for themselves."""

from __future__ import annotations

from django.contrib import messages
from django.forms.models import model_to_dict
from django.http import HttpResponse
from django.shortcuts import redirect, render

from curation.access import PersonRequest, signed_in
from curation.actions import people
from curation.forms.people import SettingsForm


@signed_in
def my_settings(request: PersonRequest) -> HttpResponse:
    """Show the person's settings, and store new ones."""
    form = SettingsForm(request.POST or None, initial=model_to_dict(request.user))
    if request.method != "POST" or not form.is_valid():
        status = 422 if form.is_bound else 200
        return render(request, "curation/my_settings.html", {"form": form}, status=status)
    people.choose_settings(user=request.user, **form.cleaned_data)
    messages.success(request, "Settings saved.")
    return redirect("my_settings")


@signed_in
def operators_alone(request: PersonRequest) -> HttpResponse:
    """Where the operators' window sends whoever it does not know: on as an operator, else back with the reason.

    Everybody signs in at one page, which has asked already who this is.
    """
    if request.user.is_staff:
        return redirect("admin:index")
    messages.error(request, "The operators' window opens for operators alone.")
    return redirect("my_work")
