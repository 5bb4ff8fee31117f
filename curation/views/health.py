"""Is the product up?"""

from django.db import connection
from django.http import HttpRequest, JsonResponse

from curation.access import public


@public
def healthz(request: HttpRequest) -> JsonResponse:
    """Answer once the database does."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return JsonResponse({"status": "ok"})
