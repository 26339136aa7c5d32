"""Checks of responses against an OpenAPI document."""

import urllib.parse

import jsonschema

PROBLEM = "application/problem+json"


class Description:
    def __init__(self, document):
        self.document = document
        self.validators = {}
        self.checked = 0

    def operation(self, method, path):
        paths = self.document["paths"]
        item = paths.get(urllib.parse.urlsplit(path).path) or paths["/{file}"]
        return item.get("get" if method == "HEAD" else method.lower())

    def response(self, method, path, status):
        response = self.operation(method, path)["responses"][str(status)]
        return self.resolved(response)

    def resolved(self, part):
        if "$ref" not in part:
            return part
        found = self.document
        for name in part["$ref"].split("/")[1:]:
            found = found[name]
        return found

    def validator(self, schema):
        key = id(schema)
        if key not in self.validators:
            # References are resolved from the root of a schema, so the components are added to it.
            rooted = {"$schema": "https://json-schema.org/draft/2020-12/schema", "components": self.document["components"], **schema}
            self.validators[key] = jsonschema.Draft202012Validator(rooted, format_checker=jsonschema.FormatChecker())
        return self.validators[key]

    def check(self, method, path, status, headers, body):
        """Fails if the status, the fields, the media type or the parsed body of a response do not match the document."""
        response = self.response(method, path, status)
        for name, header in response.get("headers", {}).items():
            assert not header.get("required") or name in headers, f"{method} {path} {status} has no {name}"
        described = {name.lower() for name in response.get("headers", {})}
        # The header fields of HTTP itself and of the body need not be described.
        framing = {"date", "connection", "content-length", "content-type", "transfer-encoding"}
        assert {name.lower() for name in headers} <= described | framing, f"{method} {path} {status}: {headers.keys()}"
        contents = {type.split(";")[0]: content for type, content in response.get("content", {}).items()}
        if not contents:
            assert body is None, f"{method} {path} {status} has a body"
            return
        content = contents[headers["Content-Type"].split(";")[0]]
        if "schema" in content:
            self.validator(content["schema"]).validate(body)
        self.checked += 1
