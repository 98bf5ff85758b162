"""What Schemathesis cannot know of the server: some faults of the protocol have a status of 500, and are no failures. They have a code."""

import schemathesis


@schemathesis.check
def coded_fault(ctx, response, case):
    """Fails for an answer of 5xx that has no code in Quipu-Error: something that the server did not expect."""
    if response.status_code >= 500 and "quipu-error" not in response.headers:
        raise AssertionError(f"{response.status_code} without a code: {response.text[:300]}")
