"""The operator's window on the rows: everything can be looked at, nothing but accounts can be changed.

Writes go through actions, which keep the rules; an edit here would go past them.
"""

from typing import TYPE_CHECKING

from django.apps import apps
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db.models import Model
from django.http import HttpRequest

from curation.models import User

if TYPE_CHECKING:
    AnyAdmin = admin.ModelAdmin[Model]
    AccountAdmin = UserAdmin[User]
else:  # Django's own classes take no type argument at run time
    AnyAdmin, AccountAdmin = admin.ModelAdmin, UserAdmin


class ReadOnly(AnyAdmin):
    """Rows as they are, with a link to what they hang on."""

    list_display = ("pk", "__str__")
    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nothing is added here."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nothing is changed here."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nothing is deleted here."""
        return False


@admin.register(User)
class PersonAdmin(AccountAdmin):
    """Accounts: names, passwords, who may look at this window."""

    fieldsets = (
        *(UserAdmin.fieldsets or ()),
        ("Hardset", {"fields": ("name", "theme", "interface_language", "single_keys")}),
    )


ours = (config for config in apps.get_app_configs() if not config.name.startswith("django"))
admin.site.register([model for config in ours for model in config.get_models() if model is not User], ReadOnly)
