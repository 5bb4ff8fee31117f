"""The form of the sign-in page."""

from __future__ import annotations

from django.contrib.auth.forms import AuthenticationForm


class SignInForm(AuthenticationForm):
    """Username and password; says no more than that one of them is wrong."""

    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": "The username or the password is wrong; both tell capitals from small letters.",
    }
