"""A client of the YAML language server, as an editor is one: it opens files and asks what the server makes of them."""

from __future__ import annotations

import json
import subprocess
import threading
from pathlib import Path
from types import TracebackType
from typing import Any

#: Longest wait for an answer, in seconds; then the server is stopped.
PATIENCE = 60


class Editor:
    """A running language server. Lines and columns count from 0, as in the protocol."""

    def __init__(self, server: Path) -> None:
        self.process = subprocess.Popen(
            ["node", str(server), "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.number = 0
        self.diagnostics: dict[str, list[dict[str, Any]]] = {}
        self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": _CAPABILITIES})
        self.tell("initialized", {})

    def __enter__(self) -> Editor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()

    # ---- what an editor does ----------------------------------------------------------------------------------------

    def open(self, path: Path, text: str) -> str:
        """Open a document, as if ``text`` were in the file; returns its address."""
        uri = path.absolute().as_uri()
        self.diagnostics.pop(uri, None)
        self.tell("textDocument/didOpen", {"textDocument": _document(uri, text)})
        return uri

    def problems(self, path: Path, text: str) -> list[dict[str, Any]]:
        """What the server finds wrong with a text."""
        uri = self.open(path, text)
        watch = self._watch()
        while uri not in self.diagnostics:
            self._take(self._read())
        watch.cancel()
        self.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
        return self.diagnostics.pop(uri)

    def hover(self, uri: str, line: int, column: int) -> str:
        """The help for what stands at a place."""
        found = self.ask("textDocument/hover", _at(uri, line, column))
        return str(found["contents"]["value"]) if found else ""

    def completions(self, uri: str, line: int, column: int) -> dict[str, str]:
        """What can be put at a place, with the help for it."""
        found = self.ask("textDocument/completion", _at(uri, line, column))
        return {item["label"]: _documentation(item) for item in (found or {}).get("items", [])}

    # ---- the protocol -----------------------------------------------------------------------------------------------

    def ask(self, method: str, params: Any) -> Any:
        """Ask, and wait for the answer; what else comes meanwhile is dealt with."""
        self.number += 1
        number = self.number
        self._send({"id": number, "method": method, "params": params})
        watch = self._watch()
        while True:
            message = self._read()
            if message.get("id") == number and "method" not in message:
                watch.cancel()
                assert "error" not in message, message
                return message["result"]
            self._take(message)

    def tell(self, method: str, params: Any) -> None:
        """Tell something that needs no answer."""
        self._send({"method": method, "params": params})

    def _watch(self) -> threading.Timer:
        # A server that says nothing more must not keep the tests waiting: its end ends the reading.
        watch = threading.Timer(PATIENCE, self.process.kill)
        watch.daemon = True
        watch.start()
        return watch

    def _take(self, message: dict[str, Any]) -> None:
        if message.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif "id" in message and "method" in message:
            result: Any = None
            if message["method"] == "workspace/configuration":
                result = [_SETTINGS.get(item.get("section", "")) for item in message["params"]["items"]]
            self._send({"id": message["id"], "result": result})

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0"} | message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def _read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        length = 0
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise EOFError("the language server has ended")
            if not line.strip():
                break
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        message: dict[str, Any] = json.loads(self.process.stdout.read(length))
        return message


_CAPABILITIES = {
    "textDocument": {
        "completion": {"completionItem": {"documentationFormat": ["markdown", "plaintext"]}},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "publishDiagnostics": {},
    },
    "workspace": {"configuration": True},
}
#: Nothing is taken from elsewhere: the schema is the one that the file's first line names.
_SETTINGS = {
    "yaml": {
        "validate": True,
        "hover": True,
        "completion": True,
        "schemaStore": {"enable": False},
        "yamlVersion": "1.2",
    }
}


def _document(uri: str, text: str) -> dict[str, Any]:
    return {"uri": uri, "languageId": "yaml", "version": 1, "text": text}


def _at(uri: str, line: int, column: int) -> dict[str, Any]:
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}}


def _documentation(item: dict[str, Any]) -> str:
    documentation = item.get("documentation") or ""
    return str(documentation["value"] if isinstance(documentation, dict) else documentation)
