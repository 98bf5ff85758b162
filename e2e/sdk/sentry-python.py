# Drives the unmodified Python SDK of Sentry. Arguments: server URL, app key.
import sys
from urllib.parse import urlparse

import sentry_sdk

url, key = sys.argv[1:]
sentry_sdk.init(f"http://{key}@{urlparse(url).netloc}/3", release="shop@5.0", environment="staging", auto_session_tracking=True)
sentry_sdk.set_user({"id": "sentry-python"})
sentry_sdk.add_breadcrumb(category="cart", message="one item")


def pay():
    raise ValueError("no money")


sentry_sdk.get_isolation_scope().start_session(session_mode="application")
try:
    pay()
except ValueError as e:
    sentry_sdk.capture_exception(e)
sentry_sdk.get_isolation_scope().end_session()
sentry_sdk.flush(10)
