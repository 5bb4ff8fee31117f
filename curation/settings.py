"""Settings, all from the environment; nonsense stops the start with one sentence.

`docs/guide/operator.md` lists every variable. Without `DATABASE_URL` the product runs on its embedded default:
SQLite, a bundled broker on a private socket, and a secret key it makes for itself under `DATA_DIR`.
"""

from __future__ import annotations

import hashlib
import tempfile
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from celery.schedules import crontab
from django.core.exceptions import ImproperlyConfigured

from curation.databases import database
from curation.environment import count_of, env, folder_named, gate_floors, key_of_product, storage_folder, switch
from curation.retrieval.addresses import AddressRefused, Place, allow_list
from curation.retrieval.connections import checked_url

BASE_DIR = Path(__file__).resolve().parent.parent


def broker_socket(folder: Path) -> Path:
    """Where the bundled broker listens: a socket's path may hold about 100 bytes, no more."""
    socket = folder / "run" / "broker.sock"
    if len(str(socket).encode()) <= 100:
        return socket
    short = hashlib.sha256(str(folder).encode()).hexdigest()[:8]
    return Path(tempfile.gettempdir()) / f"hardset-{short}" / "broker.sock"


def broker_url(socket: Path) -> str:
    """The address of CELERY_BROKER_URL, else REDIS_URL, else of the bundled broker at `socket`."""
    given: str = env.str("CELERY_BROKER_URL", default="") or env.str("REDIS_URL", default="")
    if not given:
        return f"redis+socket://{socket}"
    if not given.startswith(("redis://", "rediss://", "redis+socket://", "unix://")):
        raise ImproperlyConfigured("CELERY_BROKER_URL must name Redis or Valkey (redis://host:port/number).")
    return given


def time_zone() -> str:
    """The zone of TIME_ZONE for people who chose none; UTC without it."""
    name: str = env.str("TIME_ZONE", default="UTC")
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as fault:
        raise ImproperlyConfigured(f"TIME_ZONE names no known zone: {name}.") from fault
    return name


def outside() -> tuple[frozenset[Place], str]:
    """The places of ALLOWED_ADDRESSES, and the endpoint of OPENAI_BASE_URL, "" without one."""
    address: str = env.str("OPENAI_BASE_URL", default="")
    try:
        if address:
            checked_url(address)
        return allow_list(env.list("ALLOWED_ADDRESSES", default=[])), address
    except AddressRefused as fault:
        raise ImproperlyConfigured(f"ALLOWED_ADDRESSES or OPENAI_BASE_URL cannot be read: {fault}") from fault


DATA_DIR = storage_folder(BASE_DIR / "var")
DATABASE_URL: str = env.str("DATABASE_URL", default="")
TEAM = bool(DATABASE_URL) and not DATABASE_URL.startswith("sqlite")
INDEX_FOLDER = folder_named("INDEX_FOLDER", DATA_DIR / "indexes")
SECRET_KEY = key_of_product(DATA_DIR, team=TEAM)
HARDSET_SHARED = folder_named("HARDSET_SHARED", BASE_DIR.parent / "shared")
DEBUG = switch("DEBUG", default=False)
HTTPS = switch("HTTPS", default=TEAM)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])

INSTALLED_APPS = [
    "curation.apps.CurationConfig",
    "judging.apps.JudgingConfig",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "curation.way_back.LeadBack",
    "curation.access.DenyByDefault",
]
ROOT_URLCONF = "curation.urls"
WSGI_APPLICATION = "curation.wsgi.application"
AUTH_USER_MODEL = "curation.User"
LOGIN_URL = LOGOUT_REDIRECT_URL = "login"
LOGIN_REDIRECT_URL = "my_work"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]
DATABASES = {"default": database(DATA_DIR, DATABASE_URL)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]

LANGUAGE_CODE = "en-gb"
TIME_ZONE = time_zone()

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "curation.storage.ModuleStorage"},
}

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "frame-ancestors": ["'none'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "object-src": ["'none'"],
    }
}
SESSION_ENGINE = "curation.sessions"
AUTHENTICATION_BACKENDS = ["curation.sessions.NamesAndPasswords"]
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^api/."]  # a program follows no redirect: it is told
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None

BUNDLED_BROKER_SOCKET = broker_socket(DATA_DIR)
CELERY_BROKER_URL = broker_url(BUNDLED_BROKER_SOCKET)
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 900,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    # A frozen broker must not hold a page: starting a job answers within 3 s (C40).
    "socket_timeout": 2,
    "socket_connect_timeout": 2,
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_PUBLISH_RETRY = False
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULER = "curation.management.clock:Clock"
CELERY_BEAT_SCHEDULE_FILENAME = str(DATA_DIR / "run" / "beat")
CELERY_BEAT_SCHEDULE = {
    "daily-tick": {"task": "curation.tasks.daily_tick", "schedule": crontab(hour="3", minute="0")},
    # A sweep that waited this long behind other messages would tell nothing; the next one is on its way.
    "sweep": {"task": "curation.tasks.sweep", "schedule": 10.0, "options": {"expires": 10}},
    "sweep-pools": {"task": "judging.tasks.sweep_pools", "schedule": 10.0, "options": {"expires": 10}},
}
# A running job that has not been heard of for this long counts as interrupted and starts again.
JOB_SILENCE_SECONDS = count_of("JOB_SILENCE_SECONDS", default=60)

ALLOWED_ADDRESSES, OPENAI_BASE_URL = outside()
OPENAI_API_KEY: str = env.str("OPENAI_API_KEY", default="")
EMAIL_URL: str = env.str("EMAIL_URL", default="")
globals().update({"EMAIL_TIMEOUT": 10, **(env.email_url_config(EMAIL_URL) if EMAIL_URL else {})})
DEFAULT_FROM_EMAIL: str = env.str("EMAIL_FROM", default="hardset@localhost")

# Unpacked sizes count too: see curation.formats.
UPLOAD_BYTES = count_of("UPLOAD_BYTES", default=200 * 1024 * 1024)
UNPACKED_BYTES = count_of("UNPACKED_BYTES", default=2 * 1024 * 1024 * 1024)
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2000
# The levels of the gate; a corpus may set others.
GATE_FLOORS = gate_floors().as_json()

LOG_LEVEL = env.str("LOG_LEVEL", default="INFO").upper()
if LOG_LEVEL not in {"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"}:
    raise ImproperlyConfigured(f"LOG_LEVEL must be DEBUG, INFO, WARNING, ERROR or CRITICAL, not {LOG_LEVEL}.")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "filters": {"refusals": {"()": "curation.refusals_logged.QuietRefusals"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "loggers": {"django.request": {"filters": ["refusals"]}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
}
