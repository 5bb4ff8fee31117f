"""What is wrong with a form whose fields are not on show."""

from __future__ import annotations

from django.forms import Form


def faults_of(form: Form) -> str:
    """Every fault of `form`, in one paragraph."""
    return " ".join(str(fault) for faults in form.errors.values() for fault in faults)
