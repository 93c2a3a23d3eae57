"""Makes the calls of stdin by a client that openapi-python-client has made, and says of each what came, a line of JSON each."""

import importlib
import json
import os
import pkgutil
import re
import sys
import typing

from postroom_client import AuthenticatedClient, api


def snake(name: str) -> str:
    return re.sub(r"(?=[A-Z])", "_", name).lower()


def body_of(function: typing.Callable, value: dict) -> object:
    """Of the first of its models that takes the value."""
    wanted = typing.get_type_hints(function)["body"]
    for model in typing.get_args(wanted) or (wanted,):
        try:
            return model.from_dict(value)
        except (AttributeError, KeyError, TypeError, ValueError):
            continue
    raise ValueError(f"no model takes {value}")


modules = {name.split(".")[-1]: name for _, name, _ in pkgutil.walk_packages(api.__path__, "postroom_client.api.")}
client = AuthenticatedClient(base_url=os.environ["POSTROOM_URL"], token=os.environ["POSTROOM_KEY"])
for call in json.load(sys.stdin):
    function = importlib.import_module(modules[snake(call["operationId"])]).sync_detailed
    given = {snake(parameter): value for parameter, value in call["params"].items()}
    if call.get("body") is not None:
        given["body"] = body_of(function, call["body"])
    answer = function(client=client, **given)
    received = json.loads(answer.content) if answer.content else None
    read = answer.parsed.to_dict() if answer.parsed is not None else None
    # What a model has no field for it keeps aside: there must be nothing.
    unknown = sorted(getattr(answer.parsed, "additional_properties", {}))
    print(
        json.dumps(
            {
                "operationId": call["operationId"],
                "status": answer.status_code,
                "isRead": (read or {}).keys() == (received or {}).keys(),
                "unknown": unknown,
            }
        )
    )
