"""The form of the sign-in page."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError
from django.utils import timezone

from curation.actions.sign_ins import forget, try_sign_in


class SignInForm(AuthenticationForm):
    """Username and password; says no more than that one of them is wrong, and waits where that happens too often."""

    error_messages = {
        **AuthenticationForm.error_messages,
        "invalid_login": "The username or the password is wrong; both tell capitals from small letters.",
    }

    def clean(self) -> dict[str, Any]:
        """Refuse a try that comes too early; look at the password of any other."""
        told = {
            "username": str(self.cleaned_data.get("username", "")),
            "address": self.request.META.get("REMOTE_ADDR", "") if self.request else "",
        }
        if seconds := try_sign_in(**told, now=timezone.now()):
            raise ValidationError(
                f"Signing in failed too often with this username. Wait {waiting(seconds)}, then try again."
            )
        cleaned: dict[str, Any] = super().clean()
        forget(**told)
        return cleaned


def waiting(seconds: int) -> str:
    """A wait in words: "40 seconds", "1 minute"."""
    count, unit = (seconds, "second") if seconds < 60 else (-(-seconds // 60), "minute")
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"
