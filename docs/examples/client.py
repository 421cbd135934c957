"""Calls any operation of a server by its name in the OpenAPI document. Needs Python 3.9 and nothing else."""
import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request


class TributaryError(Exception):
    def __init__(self, status, body, retry_after):
        super().__init__(f"{status} {body.get('error_code', 'invalid_request')}: {body.get('message', body)}")
        self.status, self.body, self.retry_after = status, body, retry_after
        self.code = body.get("error_code", "invalid_request")


class Tributary:
    def __init__(self, url, key, longest_wait=10):
        self.url, self.key, self.longest_wait = url, key, longest_wait
        self.document = self.send("GET", "/openapi.json")
        self.operations = {
            operation["operationId"]: (method.upper(), path, operation)
            for path, methods in self.document["paths"].items()
            for method, operation in methods.items()
        }

    def send(self, method, path, body=None):
        headers = {"authorization": f"Bearer {self.key}", "content-type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            after = error.headers.get("retry-after")
            raise TributaryError(error.code, json.load(error), None if after is None else int(after)) from None

    def call(self, name, /, **fields):
        """Fields of the path and the query go where the document says, all others into the body."""
        method, path, operation = self.operations[name]
        query = {}
        for parameter in map(self.resolve, operation.get("parameters", [])):
            if parameter["name"] not in fields:
                continue
            value = fields.pop(parameter["name"])
            if parameter["in"] == "path":
                path = path.replace("{%s}" % parameter["name"], urllib.parse.quote(value, safe=""))
            elif value is not None:
                query[parameter["name"]] = json.dumps(value) if isinstance(value, bool) else value
        if query:
            path += "?" + urllib.parse.urlencode(query)
        body = fields if "requestBody" in operation else None
        try:
            return self.send(method, path, body)
        except TributaryError as error:
            # These two say that nothing was done.
            if error.status not in (429, 503) or (error.retry_after or 1) > self.longest_wait:
                raise
            time.sleep(error.retry_after or 1)
            return self.send(method, path, body)

    def pages(self, name, /, **fields):
        cursor = None
        while True:
            page = self.call(name, cursor=cursor, **fields)
            yield page
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def resolve(self, value):
        if "$ref" not in value:
            return value
        found = self.document
        for part in value["$ref"][2:].split("/"):
            found = found[part]
        return found


client = Tributary(os.environ.get("TRIBUTARY_URL", "http://127.0.0.1:8787"), os.environ["TRIBUTARY_KEY"])

connector = client.call("createConnector", name="Rooms", source_name="rooms")
here = {"connector_id": connector["connector_id"]}

rooms = [
    {"external_id": f"room-{n}", "title": f"Room {n}", "text": f"Room {n} has {n + 300} seats."} for n in range(1, 251)
]
taken = client.call("ingestText", items=rooms, **here)
print(taken["status"], taken["events"], "items")

found = client.call("search", q="room 42", limit=1)
print("found:", found["results"][0]["title"])

while client.call("getStatus")["pending_documents"] > 0:
    time.sleep(0.2)
answer = client.call("ask", query="How many seats does room 42 have?")
print("answer:", answer["citations"][0]["entity"]["quote"])

listed = [document for page in client.pages("listDocuments", limit=100, **here) for document in page["documents"]]
print("listed:", len(listed))

client.call("deleteConnectorDocument", external_id="room-42", **here)
try:
    client.call("getConnectorDocument", external_id="room-42", **here)
except TributaryError as error:
    print(error.status, error.code)
