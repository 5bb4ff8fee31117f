"""Forms about people."""

from __future__ import annotations

from django import forms

from curation.models import User


class SettingsForm(forms.Form):
    """What a person chooses for themselves."""

    name = forms.CharField(
        max_length=150, required=False, label="Your name", help_text="Shown to the others instead of your username."
    )
    theme = forms.ChoiceField(
        choices=User.Theme.choices, required=False, widget=forms.RadioSelect(attrs={"data-theme-choice": ""})
    )
    interface_language = forms.ChoiceField(
        choices=[("en", "English")], help_text="The interface speaks English so far; queries keep their own languages."
    )
    single_keys = forms.BooleanField(
        required=False,
        label="Single-key shortcuts",
        help_text="Letters and digits act at once outside text fields. Press ? on a page to see its keys.",
    )
