"""What no description can say of a request, so that schemathesis finds only what ours should say."""

import uuid

import schemathesis

# What is stored decides on these, and the request alone does not show it.
FOR_WHAT_IS_STORED = {"INVALID_SENDER_ALIAS", "INVALID_TAG", "MAILBOX_INACTIVE", "NO_TRASH_FOLDER"}
# The same where the whole, as it would be after a change or with what is named, has to fit together.
TOGETHER = {
    "createDraft": {"signature"},
    # So many of them, a workspace holds no more.
    "createView": {"views"},
    "sendEmail": {"signature"},
    "updateAiLabelRule": {"autoReplyEnabled"},
    "updateFilter": {"value"},
}


@schemathesis.hook
def before_call(_context, case, _kwargs):
    if case.meta is None:
        return
    query, headers = case.query or {}, case.headers or {}
    # Cursors are taken from the page before, never made up: each has a seal.
    query.pop("cursor", None)
    # There is no limit that is refused: what is none falls back.
    if not str(query.get("limit", 1)).isdigit():
        query.pop("limit")
    # Keys are made for one operation; with one that was used before, it is the answer of then that comes again.
    if headers.get("Idempotency-Key") and case.meta.generation.mode.is_positive:
        headers["Idempotency-Key"] = str(uuid.uuid4())
    # It does not read the schema of what stands in a text.
    if "filters" in query and case.meta.generation.mode.is_positive:
        query["filters"] = '{"id":"a","_and":[]}'


@schemathesis.check
def valid_is_taken(_context, response, case):
    """As positive_data_acceptance has it, but for refusals that only the service can know of."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 400:
        return
    body = response.json()
    if body["code"] in FOR_WHAT_IS_STORED:
        return
    operation = case.operation.definition.raw["operationId"]
    if body["code"] == "VALIDATION_FAILED" and set(body["details"]) == TOGETHER.get(operation):
        return
    raise AssertionError(f"valid by the description, and refused: {body}")
