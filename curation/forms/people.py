"""Forms about people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.auth.forms import SetPasswordMixin
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.validators import validate_email

from curation.actions.invitations import Newcomer, Wanted
from curation.models import Role, User
from curation.retrieval.locales import ScriptNeeded, UnknownLocale, canonical_locale

if TYPE_CHECKING:
    PasswordTwice = SetPasswordMixin[User]
else:  # Django's own class takes no type argument at run time
    PasswordTwice = SetPasswordMixin

MOST_USERNAME = 150


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


class InviteForm(forms.Form):
    """Who shall do what in a corpus."""

    who = forms.CharField(
        max_length=254,
        label="E-mail address or username",
        help_text="Who is here already gets the role at once; anybody else gets a link.",
    )
    role = forms.ChoiceField(choices=Role.choices)
    languages = forms.CharField(
        required=False,
        help_text="Codes such as tr, sr-Latn, ja. Writers need one; adjusters and leads without any have all.",
    )

    def clean_who(self) -> str:
        """An address where it looks like one, else a username."""
        who: str = self.cleaned_data["who"].strip()
        check = validate_email if "@" in who else UnicodeUsernameValidator()
        check(who)
        if "@" not in who and len(who) > MOST_USERNAME:
            raise forms.ValidationError(f"A username has at most {MOST_USERNAME} characters.")
        return who

    def clean_languages(self) -> list[str]:
        """The locales in their one form, each once, in the order given."""
        given = [tag.strip() for tag in self.cleaned_data["languages"].split(",") if tag.strip()]
        try:
            return list(dict.fromkeys(canonical_locale(tag) for tag in given))
        except (UnknownLocale, ScriptNeeded) as fault:
            raise forms.ValidationError(str(fault)) from fault

    def clean(self) -> dict[str, Any]:
        """A writer has at least one language."""
        cleaned: dict[str, Any] = super().clean() or {}
        if cleaned.get("role") == Role.WRITER and not cleaned.get("languages") and "languages" not in self.errors:
            self.add_error("languages", "A writer needs a language: without one there is no cell to fill.")
        return cleaned

    @property
    def wanted(self) -> Wanted:
        """What a valid form says."""
        given = self.cleaned_data
        whom = "email" if "@" in given["who"] else "username"
        return Wanted(Role(given["role"]), given["languages"], **{whom: given["who"]})


class JoinForm(PasswordTwice, forms.Form):
    """A new account through a link: who, and a password twice."""

    username = forms.CharField(max_length=MOST_USERNAME, validators=[UnicodeUsernameValidator()])
    name = forms.CharField(max_length=150, label="Your name", help_text="Shown to the others instead of your username.")
    password1, password2 = SetPasswordMixin.create_password_fields()

    def clean_username(self) -> str:
        """A name that nobody has."""
        username: str = self.cleaned_data["username"]
        if User.objects.filter(username=username).exists():
            raise forms.ValidationError(f"Somebody is called {username} already. Choose another, or sign in as them.")
        return username

    def clean(self) -> dict[str, Any]:
        """The same password twice, and one that the validators take."""
        self.validate_passwords("password1", "password2")
        given = self.cleaned_data
        self.validate_password_for_user(
            User(username=given.get("username", ""), name=given.get("name", "")), "password2"
        )
        cleaned: dict[str, Any] = super().clean() or {}
        return cleaned

    @property
    def newcomer(self) -> Newcomer:
        """What a valid form says."""
        given = self.cleaned_data
        return Newcomer(given["username"], given["name"].strip(), given["password1"])
