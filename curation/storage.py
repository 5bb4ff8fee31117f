"""Static files under names that change with their content."""

from django.contrib.staticfiles.storage import HashedFilesMixin
from whitenoise.storage import CompressedManifestStaticFilesStorage

# Django's own switch for this would follow what looks like an import in other people's files too, and stop at it.
IMPORTS = ((r"""(?P<matched>from "(?P<url>\.[^"]+)")""", '''from "%(url)s"'''),)


class ModuleStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise brings no types
    """Compressed files with a hash in their names, which the imports of our own script modules follow.

    Without, a page's module would import a second copy of `keys.js` beside the one the page loads, and every key
    would be heard twice.
    """

    patterns = (*HashedFilesMixin.patterns, ("curation/*.js", IMPORTS), ("judging/*.js", IMPORTS))
