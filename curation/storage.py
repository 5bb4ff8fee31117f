"""Static files under names that change with their content."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class ModuleStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise brings no types
    """Compressed files with a hash in their names, which the imports of script modules follow.

    Without, a page's own module would import a second copy of `keys.js` beside the one the page loads, and every key
    would be heard twice.
    """

    support_js_module_import_aggregation = True
