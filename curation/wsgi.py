"""The web processes' entry point."""

import os
import sys

from django.core.wsgi import get_wsgi_application

from curation.unread_bodies import read_to_the_end

# A thread that writes hands Python's lock over at every statement, and by default gets it back 5 ms later at the
# earliest while another thread draws a page: whoever waits to write waits for all of that (docs/adr/0014).
sys.setswitchinterval(0.001)
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "curation.settings")
application = read_to_the_end(get_wsgi_application())
