"""The web processes' entry point."""

import os
import sys

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.template.loader import get_template
from django.urls import reverse

from curation.unread_bodies import read_to_the_end

# A thread that writes hands Python's lock over at every statement, and by default gets it back 5 ms later at the
# earliest while another thread draws a page: whoever waits to write waits for all of that (docs/adr/0014).
sys.setswitchinterval(0.001)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "curation.settings")
application = read_to_the_end(get_wsgi_application())


def read_ahead() -> None:
    """Load every address and every page now, half a second for each process.

    Django does so when each is first asked for: of the 40 ms that a judge's finish takes, the first one of each process
    took 120 to 190, and takes 80 to 120 with this.
    """
    reverse("healthz")  # the first name asked for loads them all
    folder = settings.BASE_DIR / "templates"
    for page in folder.rglob("*.html"):
        get_template(str(page.relative_to(folder)))


read_ahead()
