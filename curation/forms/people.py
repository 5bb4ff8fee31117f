"""Forms about people."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.validators import UnicodeUsernameValidator

from curation.models import Role, User
from curation.retrieval.locales import ScriptNeeded, UnknownLocale, canonical_locale


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


class MemberForm(forms.Form):
    """Who shall do what in a corpus."""

    username = forms.CharField(max_length=150, validators=[UnicodeUsernameValidator()])
    role = forms.ChoiceField(choices=Role.choices)
    languages = forms.CharField(
        required=False, help_text="What a writer writes, as codes with commas between: tr, sr-Latn, ja."
    )
    new_account = forms.BooleanField(
        required=False, label="New account", help_text="For someone who has none: you get a link to hand over."
    )

    def clean_languages(self) -> list[str]:
        """The locales in their one form, each once, in the order given."""
        given = [tag.strip() for tag in self.cleaned_data["languages"].split(",") if tag.strip()]
        try:
            return list(dict.fromkeys(canonical_locale(tag) for tag in given))
        except (UnknownLocale, ScriptNeeded) as fault:
            raise forms.ValidationError(str(fault)) from fault

    def clean(self) -> dict[str, Any]:
        """Only writers have languages, and a writer has at least one."""
        cleaned: dict[str, Any] = super().clean() or {}
        if cleaned.get("role") != Role.WRITER:
            cleaned["languages"] = []
        elif not cleaned.get("languages") and "languages" not in self.errors:
            self.add_error("languages", "A writer needs a language: without one there is no cell to fill.")
        return cleaned
