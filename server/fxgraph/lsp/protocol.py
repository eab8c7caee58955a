"""JSON-RPC as pygls speaks it, held to one promise: every request gets exactly one answer, whatever goes wrong.

pygls 2.1 leaves a request without an answer where its parameters have a wrong shape or the server shuts down, shows
its errors as pop-ups, and logs parameters, a whole document among them. It also takes answers through a converter
that needs seconds for the outline of a large graph. Messages are therefore dispatched and sent here; types, the
converter for parameters, notifications and requests to the client are pygls'.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from lsprotocol import types
from pygls.protocol import LanguageServerProtocol

from fxgraph.lsp.logs import log_exception
from fxgraph.lsp.places import of_place, with_places

if TYPE_CHECKING:
    from cattrs import Converter
    from pygls.lsp.server import LanguageServer

log = logging.getLogger(__name__)

MessageId = int | str

PARSE_ERROR = types.ErrorCodes.ParseError.value
INVALID_REQUEST = types.ErrorCodes.InvalidRequest.value
METHOD_NOT_FOUND = types.ErrorCodes.MethodNotFound.value
INVALID_PARAMS = types.ErrorCodes.InvalidParams.value
INTERNAL_ERROR = types.ErrorCodes.InternalError.value
NOT_INITIALIZED = types.ErrorCodes.ServerNotInitialized.value
REQUEST_FAILED = types.LSPErrorCodes.RequestFailed.value
REQUEST_CANCELLED = types.LSPErrorCodes.RequestCancelled.value
CONTENT_MODIFIED = types.LSPErrorCodes.ContentModified.value
SERVER_CANCELLED = types.LSPErrorCodes.ServerCancelled.value


#: So many characters of a message are written together.
_AT_ONCE = 1 << 18


class Raw(NamedTuple):
    """An answer that is JSON already, in pieces of ASCII."""

    pieces: list[str]


class Refusal(Exception):  # noqa: N818 - no error of the server
    """Raised by a handler to answer with an error."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data


class Reply:
    """The one answer that a request is owed. What comes after the first answer is dropped."""

    __slots__ = ("_protocol", "id", "method")

    def __init__(self, protocol: Protocol, message_id: MessageId, method: str) -> None:
        self._protocol = protocol
        self.id = message_id
        self.method = method

    @property
    def is_owed(self) -> bool:
        """Whether there is no answer yet; a cancelled request has got one."""
        return self._protocol.owes(self)

    def run(self, function: Callable[..., Any], *arguments: Any) -> None:
        """Answer with what a function returns: plain data, `Raw`, or a type of lsprotocol.

        Its `Refusal` becomes an error. Any other exception goes to the log and the answer is empty: editors show
        errors in pop-ups.
        """
        try:
            self.result(function(*arguments))
        except Refusal as refusal:
            self.error(refusal.code, refusal.message, refusal.data)
        except Exception as error:
            self.fail(error)

    def fail(self, error: Exception) -> None:
        """Log an exception and answer with nothing."""
        log_exception(log, f"{self.method} failed", error)
        if self.method == types.TEXT_DOCUMENT_DIAGNOSTIC:  # has no empty answer but "no findings"
            self.error(SERVER_CANCELLED, "see the log", {"retriggerRequest": False})
        elif self.method == types.INITIALIZE:
            self.error(INTERNAL_ERROR, "see the log")
        else:
            self.result(None)

    def result(self, value: Any) -> None:
        """Answer with a value. Raises TypeError or ValueError, and answers nothing, where it is not JSON."""
        pieces = value.pieces if isinstance(value, Raw) else [self._protocol.to_json(value)]
        if self._protocol.settle(self):
            self._protocol.send(f'{{"jsonrpc":"2.0","id":{json.dumps(self.id)},"result":', *pieces, "}")

    def error(self, code: int, message: str, data: object = None) -> None:
        """Answer with an error."""
        if self._protocol.settle(self):
            self._protocol.send_error(self.id, code, message, data)


class Protocol(LanguageServerProtocol):
    """One session.

    requests       method -> handler(parameters, reply), on the reading thread; it settles the reply, now or later
    notifications  method -> handler(parameters)
    exit_code      the process's exit status once the client has sent `exit`, else None
    """

    def __init__(self, server: LanguageServer, converter: Converter) -> None:
        super().__init__(server, converter)
        self.requests: dict[str, Callable[[Any, Reply], None]] = {}
        self.notifications: dict[str, Callable[[Any], None]] = {}
        self.exit_code: int | None = None
        self._encoder = json.JSONEncoder(separators=(",", ":"), default=self._serialize_message)
        self._initialized = False
        self._outgoing: BinaryIO | None = None
        self._owed: dict[MessageId, Reply] = {}
        # Answers come from the worker's thread, too.
        self._owed_lock = threading.Lock()
        self._outgoing_lock = threading.Lock()

    # What comes in.

    def receive(self, body: bytes) -> None:
        """Take one message. Never raises, but for a broken pipe."""
        try:
            message = json.loads(body)
        except (ValueError, RecursionError) as error:
            log_exception(log, "a message that is not JSON", error)
            self.send_error(None, PARSE_ERROR, "not JSON")
            return
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            self.send_error(_id_of(message), INVALID_REQUEST, "not a message of JSON-RPC 2.0")
        elif "method" not in message:
            self._take_response(message)
        elif not isinstance(message["method"], str):
            self.send_error(_id_of(message), INVALID_REQUEST, "the method is not a string")
        elif "id" in message:
            self._take_request(message)
        else:
            self._take_notification(message)

    def _take_request(self, message: dict[str, Any]) -> None:
        message_id, method = _id_of(message), message["method"]
        if message_id is None:
            self.send_error(None, INVALID_REQUEST, "the id is neither a number nor a string")
            return
        reply = Reply(self, message_id, method)
        with self._owed_lock:
            twice = message_id in self._owed
            if not twice:
                self._owed[message_id] = reply
        if twice:
            self.send_error(message_id, INVALID_REQUEST, "a request with this id waits for its answer")
        elif self._shutdown:
            reply.error(INVALID_REQUEST, "the server shuts down")
        elif method == types.SHUTDOWN:
            self._shutdown = True
            reply.result(None)
        elif not self._initialized and method != types.INITIALIZE:
            reply.error(NOT_INITIALIZED, "initialize comes first")
        elif self._initialized and method == types.INITIALIZE:
            reply.error(INVALID_REQUEST, "initialized already")
        elif (handler := self.requests.get(method)) is None:
            reply.error(METHOD_NOT_FOUND, f"{method[:100]} is not known")
        else:
            self._initialized = True
            try:
                parameters = self._parameters(message)
            except Exception as error:
                log_exception(log, f"{method}: parameters of a wrong shape", error)
                reply.error(INVALID_PARAMS, "parameters of a wrong shape")
                return
            try:
                handler(parameters, reply)
            except Exception as error:
                reply.fail(error)

    def _take_notification(self, message: dict[str, Any]) -> None:
        method = message["method"]
        if method == types.EXIT:
            self.exit_code = 0 if self._shutdown else 1
        elif method == types.CANCEL_REQUEST:
            self._cancel(message.get("params"))
        elif self._initialized and not self._shutdown and (handler := self.notifications.get(method)):
            try:
                handler(self._parameters(message))
            except Exception as error:
                log_exception(log, f"{method} failed", error)

    def _take_response(self, message: dict[str, Any]) -> None:
        message_id = _id_of(message)
        future = self._request_futures.pop(message_id, None) if message_id is not None else None
        if message_id is not None:
            self._result_types.pop(message_id, None)
        if future is None:
            log.warning("an answer to nothing that was asked")
        elif "error" in message:
            future.set_exception(Refusal(INTERNAL_ERROR, "the client answered with an error"))
        else:
            future.set_result(message.get("result"))

    def _cancel(self, parameters: object) -> None:
        message_id = _id_of(parameters)
        with self._owed_lock:
            reply = self._owed.get(message_id) if message_id is not None else None
        if reply is not None:
            reply.error(REQUEST_CANCELLED, "cancelled")

    def _parameters(self, message: dict[str, Any]) -> Any:
        """The parameters as lsprotocol's type; those of `initialize` and of settings as they came.

        A client that speaks a newer protocol must not fail at its first message.
        """
        method = message["method"]
        if method in (types.INITIALIZE, types.WORKSPACE_DID_CHANGE_CONFIGURATION):
            return message.get("params")
        message_type = self.get_message_type(method)
        if message_type is None:
            return message.get("params")
        if "id" in message:
            place = of_place(method, message.get("params"))
            if place is not None:
                return place
            message = {**message, "params": with_places(message.get("params"))}
        return self._converter.structure(message, message_type).params

    # What goes out.

    def set_outgoing(self, stream: BinaryIO) -> None:
        """Where messages are written."""
        self._outgoing = stream

    def owes(self, reply: Reply) -> bool:
        """Whether a request still waits for its answer."""
        with self._owed_lock:
            return self._owed.get(reply.id) is reply

    def settle(self, reply: Reply) -> bool:
        """Take note of an answer; False where there was one already."""
        with self._owed_lock:
            if self._owed.get(reply.id) is not reply:
                return False
            del self._owed[reply.id]
            return True

    def to_json(self, value: Any) -> str:
        """Plain data and lsprotocol's types as JSON, all in ASCII: lone surrogates survive as escapes."""
        return self._encoder.encode(value)

    def send(self, *pieces: str) -> None:
        """Write one message, given in pieces: an outline of 100,000 nodes is not copied together."""
        length = sum(map(len, pieces))
        with self._outgoing_lock:
            if self._outgoing is not None:
                self._outgoing.write(b"Content-Length: %d\r\n\r\n" % length)
                for piece in pieces:
                    for begin in range(0, len(piece), _AT_ONCE):
                        self._outgoing.write(piece[begin : begin + _AT_ONCE].encode("ascii"))
                self._outgoing.flush()

    def send_error(self, message_id: MessageId | None, code: int, message: str, data: object = None) -> None:
        """Write an error; the id is None where it could not be read."""
        error = {"code": code, "message": message, **({"data": data} if data is not None else {})}
        self.send(self.to_json({"jsonrpc": "2.0", "id": message_id, "error": error}))

    def tell(self, method: str, parameters: object) -> None:
        """Write a notification of plain data."""
        self.send(self.to_json({"jsonrpc": "2.0", "method": method, "params": parameters}))

    def _send_data(self, data: Any) -> None:
        """Through this pygls sends its own notifications and requests; its version logs each text."""
        if data:
            self.send(self.to_json(data))


def _id_of(message: object) -> MessageId | None:
    """The id of a message where it is one: a number or a string."""
    value = message.get("id") if isinstance(message, dict) else None
    return value if isinstance(value, (int, str)) and not isinstance(value, bool) else None
