"""The client of Onward, a community referral service: find local services, refer people to them, follow what becomes of it.

One file, without dependencies, for Python 3.9 or newer. Copy it into your project.

    onward = Onward(site="https://onward.example.org", refresh_token=os.environ["REFRESH_TOKEN"])
    referral = onward.referrals.create({"service_id": "...", "patient": {...}, ...})

An `Onward` may be used by several threads at once. It holds its tokens where neither `repr` nor a log finds them.
"""

from __future__ import annotations

import base64
import binascii
import dataclasses
import datetime
import email.utils
import hashlib
import hmac
import http.client
import json
import mimetypes
import random
import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from concurrent.futures import Future
from typing import (
    Any,
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    Literal,
    Mapping,
    NamedTuple,
    NoReturn,
    Optional,
    Protocol,
    Sequence,
    Tuple,
    TypedDict,
    Union,
)

__all__ = [
    "Answer",
    "BadSignature",
    "CallError",
    "CallReport",
    "Event",
    "EventsGone",
    "FieldError",
    "NewReferral",
    "NoAnswerError",
    "Onward",
    "OnwardError",
    "ProblemCode",
    "ProblemError",
    "Referral",
    "SignIn",
    "StoredToken",
    "TokenStore",
    "finish_sign_in",
    "is_problem",
    "sign_webhook",
    "start_sign_in",
    "verify_webhook",
]

__version__ = "0.1.0"

Json = Dict[str, Any]

# --- What is sent and answered ------------------------------------------------------------------------------------------------
# What client systems use most. The reference at /api/docs of a site has every field; those that are not here may be sent as well.


class Address(TypedDict, total=False):
    lines: List[str]
    postcode: str


class Patient(TypedDict, total=False):
    nhs_number: str
    given_name: str
    family_name: str
    birth_date: str
    address: Address
    telephone: str
    email: str


class Reason(TypedDict, total=False):
    text: str


class Consent(TypedDict, total=False):
    referral: bool
    share_with_gp: bool


class SafeContact(TypedDict, total=False):
    safe: str
    channel: str
    only_at: str
    voicemail: bool
    who_must_not_know: str


class NewReferral(TypedDict, total=False):
    service_id: str
    patient: Patient
    gp_practice: Json
    reasons: List[Reason]
    urgency: Literal["routine", "urgent"]
    what_matters: str
    safety_notes: str
    risk: Literal["no", "yes", "could_not_ask"]
    contact: SafeContact
    consent: Consent


class FieldError(TypedDict):
    """Something that is wrong with what was sent. It names the place and the rule, and repeats no value."""

    pointer: str
    message: str


class Resource(TypedDict):
    type: str
    id: str
    #: The referral that it belongs to; None for a service and for a test event.
    referral_id: Optional[str]
    href: str


class Event(TypedDict):
    id: str
    type: str
    version: int
    created_at: str
    resource: Resource


class Referral(Dict[str, Any]):
    """A referral as you last read it. Whatever changes it sends `etag` back, so that nobody answers what they have not seen."""

    def __init__(self, body: Mapping[str, Any], etag: str) -> None:
        super().__init__(body)
        self.etag = etag

    @property
    def id(self) -> str:
        return str(self["id"])

    @property
    def reference(self) -> str:
        return str(self["reference"])

    @property
    def status(self) -> str:
        return str(self["status"])

    def __repr__(self) -> str:
        # Nothing about a person goes into a log by accident.
        return f"<Referral {self.get('reference')}: {self.get('status')}>"


class Answer(NamedTuple):
    """What a call was answered: the JSON; bytes for a file; None for 204; lines for a stream."""

    status: int
    headers: Mapping[str, str]
    body: Any

    def json(self) -> Json:
        """The body of an answer that is a JSON object."""
        body: Json = self.body
        return body


# --- Errors -------------------------------------------------------------------------------------------------------------------
# No error holds a token, an address with values in it, or what was sent: errors end up in logs.


class OnwardError(Exception):
    """Anything that a call may raise, except the ValueError or TypeError of wrong use."""


class CallError(OnwardError):
    """A call failed."""

    def __init__(self, call: "_FailedCall", what: str) -> None:
        super().__init__(f"{call.operation_id}: {what}")
        self.operation_id = call.operation_id
        #: The call changes something and may have been carried out, although no answer says so.
        self.may_be_done = call.may_be_done
        #: Call again with this one to have it done once.
        self.idempotency_key = call.idempotency_key


class NoAnswerError(CallError):
    """No answer came: the network failed, or it took too long."""

    def __init__(self, call: "_FailedCall", reason: str) -> None:
        super().__init__(call, f"no answer ({reason}){', so it may have been done or not' if call.may_be_done else ''}")


class ProblemError(CallError):
    """The site refused a call. `code` says why; the site has a page about each code, at `problem["type"]`."""

    def __init__(self, call: "_FailedCall", problem: Json, retry_after: Optional[float]) -> None:
        self.code = str(problem.get("type", "")).split("/")[-1]
        self.status = int(problem.get("status", 0))
        #: What is wrong with what was sent, and where, such as `/patient/birth_date`. Empty if the refusal is about something else.
        self.errors: List[FieldError] = list(problem.get("errors") or [])
        why = ". ".join(filter(None, [problem.get("title"), problem.get("detail")]))
        fields = "; ".join(f"{each['pointer']}: {each['message']}" for each in self.errors)
        super().__init__(call, f"{self.status} {self.code}: {why}{f' ({fields})' if fields else ''}")
        #: The whole answer, with the members that some codes add.
        self.problem = problem
        #: What to quote when you ask for help.
        self.request_id: Optional[str] = problem.get("request_id")
        self.retry_after = retry_after


class EventsGone(OnwardError):
    """You were away for more than 30 days, or the site was restored and does not know your event. Read your referrals once more,
    then follow with `after=error.oldest_id`."""

    def __init__(self, oldest_id: Optional[str]) -> None:
        super().__init__("Events after the one you named are not there. Read your referrals once more.")
        #: The oldest event that is left; None if there is none, or after a restore: then follow without `after`.
        self.oldest_id = oldest_id


class BadSignature(OnwardError):
    """A call to your webhook was not signed by the site, or is too old."""


def is_problem(error: object, *codes: "ProblemCode") -> bool:
    """Whether the site refused a call with one of these codes, or with any: `is_problem(error, "possible-duplicate")`."""
    return isinstance(error, ProblemError) and (not codes or error.code in codes)


@dataclasses.dataclass(frozen=True)
class _FailedCall:
    operation_id: str
    may_be_done: bool
    idempotency_key: Optional[str]


# --- The client ---------------------------------------------------------------------------------------------------------------


class StoredToken(TypedDict):
    """An access token, as a store keeps it. Keep it like a password."""

    access_token: str
    valid_to: str


class TokenStore(Protocol):
    """Where several processes of yours share an access token. Without one, each process gets its own, which is allowed."""

    def load(self) -> Optional[StoredToken]: ...

    def save(self, token: StoredToken) -> None: ...


@dataclasses.dataclass(frozen=True)
class CallReport:
    """What is known of one request when it has ended. Nothing in it is secret or about a person, so it may be logged."""

    operation_id: str
    method: str
    #: The pattern, with names in place of values: `/api/referrals/{id}`.
    path: str
    #: 1 for the first attempt.
    attempt: int
    #: None when no answer came.
    status: Optional[int]
    duration_seconds: float
    request_id: Optional[str]
    #: The day on which something that this call uses stops working: the header `Sunset`.
    sunset: Optional[str]


class Onward:
    """A client of one site, for one account.

    :param site: the address of the site.
    :param refresh_token: from /apikeys or from a named key. It stays on a server, like a password.
    :param access_token: in its place, such as that of a user who signed in. It cannot be renewed.
    :param tokens: where several processes share an access token.
    :param retries: how often a call is repeated where that cannot do harm.
    :param timeout_seconds: how long the site may keep silent, for each attempt.
    :param user_agent: the name and version of your system, for the site's log.
    :param on_call: hears of every request, for your own log.
    :param insecure_http: allows http to another computer. Only for a test site.
    """

    def __init__(
        self,
        site: str,
        *,
        refresh_token: Optional[str] = None,
        access_token: Optional[str] = None,
        tokens: Optional[TokenStore] = None,
        retries: int = 3,
        timeout_seconds: float = 30,
        user_agent: Optional[str] = None,
        on_call: Optional[Callable[[CallReport], None]] = None,
        insecure_http: bool = False,
    ) -> None:
        if (refresh_token is None) == (access_token is None):
            raise TypeError("Give `refresh_token` or `access_token`, and not both.")
        self.site = _site_address(site, insecure_http)
        agent = " ".join(filter(None, [user_agent, f"onward-python/{__version__}"]))
        line = _Line(self.site, timeout_seconds, {"user-agent": agent}, on_call)
        self._call = _create_call(line, _create_tokens(line, refresh_token, access_token, tokens, retries), retries)
        self.services = Services(self.call)
        self.referrals = Referrals(self.call)
        self.events = Events(self.call, renews_tokens=refresh_token is not None)

    def __repr__(self) -> str:
        return f"<Onward {self.site}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("An Onward has tokens in it, and is not to be stored or sent.")

    def call(
        self,
        operation_id: str,
        *,
        path: Optional[Mapping[str, Any]] = None,
        query: Optional[Mapping[str, Any]] = None,
        header: Optional[Mapping[str, str]] = None,
        body: Any = None,
        idempotency_key: Optional[str] = None,
    ) -> Answer:
        """Calls any operation of the API by its name in the reference: `call("getPractice", path={"ods_code": "Z99001"})`.

        :param idempotency_key: a text of your own, such as the id of your record, for writes that take one. Without it, one is made.
        """
        return self._call(_Wanted(operation_id, path or {}, query or {}, header or {}, body, idempotency_key))

    def who_am_i(self) -> Json:
        """Who the calls are made for, on which site."""
        return self.call("getTokenStatus").json()


class Services:
    """Finding local services."""

    def __init__(self, call: Callable[..., Answer]) -> None:
        self._call = call

    def find(self, search: Optional[str] = None, **filters: Any) -> Json:
        """A page of services that fit what the person needs, best matches first, in `contents`. What you search for is in no
        address: `find("lonely since her husband died", postcode="ZT1 3GH")`."""
        body = {**({} if search is None else {"search": search}), **filters}
        return self._call("searchServices", body=body).json()

    def get(self, id: str) -> Json:
        return self._call("getService", path={"id": id}).json()

    def all(self, modified_after: Optional[str] = None) -> Iterator[Json]:
        """Every active service, for a copy of the library; or what changed since a moment. It comes as one long answer: if it
        breaks off, that raises, and what you have is not whole."""
        query = {"full": True, "modified_after": modified_after}
        for line in self._call("exportServices", query=query).body:
            yield json.loads(line)


class Referrals:
    """Making referrals, and acting on them."""

    def __init__(self, call: Callable[..., Answer]) -> None:
        self._call = call

    def create(self, referral: Union[NewReferral, Json], *, idempotency_key: Optional[str] = None) -> Referral:
        """Makes a referral, once however often it is sent."""
        return _versioned(self._call("createReferral", body=referral, idempotency_key=idempotency_key))

    def draft(self, draft: Union[NewReferral, Json], *, idempotency_key: Optional[str] = None) -> Referral:
        """Keeps a draft for your organisation. Nothing in it is required."""
        body: Json = {**draft, "status": "draft"}
        return _versioned(self._call("createReferral", body=body, idempotency_key=idempotency_key))

    def change_draft(self, seen: Referral, draft: Union[NewReferral, Json]) -> Referral:
        """Puts another draft in the place of this one."""
        return self._act("changeDraft", seen, draft)

    def send(self, seen: Referral, **body: Any) -> Referral:
        """Sends a draft."""
        return self._act("requestReferral", seen, body)

    def get(self, id: Union[str, Referral], *, shown_to_person: bool = False) -> Referral:
        """Reads a referral, by its id or by itself: so can all functions that take an `id`.

        :param shown_to_person: the person whose token it is has the answer on a screen now. Only this counts as seen, and ends the
            emails about what nobody has seen. Leave it out where a program reads for itself, in the background or for a copy.
        """
        path = {"id": _id_of(id)}
        return _versioned(self._call("getReferral", path=path, header=_who_sees(shown_to_person)))

    def list(self, **query: Any) -> Iterator[Referral]:
        """Newest first, page after page: `list(direction="made", status="accepted")`."""
        return _referrals(lambda cursor: self._call("listReferrals", query={**query, "cursor": cursor}).json())

    def find_person(self, **person: Any) -> Iterator[Referral]:
        """The referrals of one person: by `nhs_number`, or by `family_name` and `birth_date`. Newest first, page after page."""

        def read_page(cursor: Optional[str]) -> Json:
            body = person if cursor is None else {**person, "cursor": cursor}
            return self._call("searchReferrals", body=body).json()

        return _referrals(read_page)

    def update(self, id: Union[str, Referral], decide: Callable[[Referral], Optional[Referral]]) -> Referral:
        """Reads the referral, and lets you decide and act; again, if somebody changed it meanwhile or the answer was lost. So look
        at its status each time: `update(id, lambda r: referrals.accept(r) if r.status == "requested" else None)`."""
        for attempt in range(1, _MAX_UPDATES + 1):
            referral = self.get(id)
            try:
                return decide(referral) or referral
            except CallError as error:
                if attempt == _MAX_UPDATES or not _is_worth_another_look(error):
                    raise
        raise AssertionError("unreachable")

    def accept(self, seen: Referral) -> Referral:
        return self._act("acceptReferral", seen, {})

    def reject(self, seen: Referral, **body: Any) -> Referral:
        """`reject(seen, status_reason={"code": "no-capacity", "text": "Full until spring."})`"""
        return self._act("rejectReferral", seen, body)

    def start(self, seen: Referral) -> Referral:
        return self._act("startReferral", seen, {})

    def hold(self, seen: Referral, **body: Any) -> Referral:
        return self._act("holdReferral", seen, body)

    def change_wait(self, seen: Referral, **body: Any) -> Referral:
        return self._act("changeWait", seen, body)

    def complete(self, seen: Referral, **body: Any) -> Referral:
        """`complete(seen, outcome={"code": "goals-met", "text": "She sings every week."})`"""
        return self._act("completeReferral", seen, body)

    def fail(self, seen: Referral, **body: Any) -> Referral:
        return self._act("failReferral", seen, body)

    def cancel(self, seen: Referral, **body: Any) -> Referral:
        return self._act("cancelReferral", seen, body)

    def withdraw_as_error(self, seen: Referral, **body: Any) -> Referral:
        return self._act("withdrawReferral", seen, body)

    def correct(self, seen: Referral, **body: Any) -> Referral:
        """Corrects contact details, practice, urgency or safety notes of an open referral."""
        return self._act("correctReferral", seen, body)

    def reroute(
        self, id: Union[str, Referral], *, idempotency_key: Optional[str] = None, **body: Any
    ) -> Referral:
        """Refers the person elsewhere after a referral that was unsuccessful."""
        path = {"id": _id_of(id)}
        return _versioned(self._call("rerouteReferral", path=path, body=body, idempotency_key=idempotency_key))

    def attach(
        self,
        id: Union[str, Referral],
        content: bytes,
        name: str,
        content_type: Optional[str] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> Json:
        """Attaches a PDF, PNG or JPEG: `attach(id, Path("letter.pdf").read_bytes(), "letter.pdf")`."""
        if not isinstance(content, (bytes, bytearray)):
            raise TypeError("Give the content of the file as bytes.")
        if not name:
            raise ValueError("Name the file, such as letter.pdf.")
        file = _File(content, name, content_type or mimetypes.guess_type(name)[0] or "application/octet-stream")
        path = {"id": _id_of(id)}
        return self._call("attachFile", path=path, body=file, idempotency_key=idempotency_key).json()

    def messages(self, id: Union[str, Referral], *, shown_to_person: bool = False) -> Iterator[Json]:
        """What both sides wrote, newest first, page after page.

        :param shown_to_person: as in `get`.
        """
        path, header = {"id": _id_of(id)}, _who_sees(shown_to_person)
        return _every_item(
            lambda cursor: self._call("listMessages", path=path, query={"cursor": cursor}, header=header).json()
        )

    def send_message(
        self, id: Union[str, Referral], text: str, *, idempotency_key: Optional[str] = None
    ) -> Json:
        return self._call(
            "sendMessage", path={"id": _id_of(id)}, body={"text": text}, idempotency_key=idempotency_key
        ).json()

    def _act(self, operation_id: str, seen: Referral, body: Any) -> Referral:
        if not isinstance(seen, Referral):
            raise TypeError("Pass the referral as `get` or `list` returned it: its `etag` says which version you saw.")
        return _versioned(
            self._call(operation_id, path={"id": seen.id}, header={"if-match": seen.etag}, body=body)
        )


#: Somebody else may be faster again and again, but hardly more often than this.
_MAX_UPDATES = 5

#: These operations change a referral that you have seen, and answer what it is now.
_ACTIONS = frozenset(
    "acceptReferral rejectReferral startReferral holdReferral changeWait completeReferral failReferral cancelReferral "
    "withdrawReferral requestReferral changeDraft correctReferral".split()
)


def _is_worth_another_look(error: CallError) -> bool:
    """Somebody changed the referral meanwhile, or nobody knows whether our own change was made."""
    return is_problem(error, "version-stale") or (error.may_be_done and error.operation_id in _ACTIONS)


def _id_of(referral: Union[str, Referral]) -> str:
    return referral.id if isinstance(referral, Referral) else referral


def _who_sees(shown_to_person: bool) -> Dict[str, str]:
    return {"onward-shown-to": "person"} if shown_to_person else {}


def _versioned(answer: Answer) -> Referral:
    return Referral(answer.body, answer.headers.get("etag") or _etag_of(answer.body))


def _etag_of(body: Mapping[str, Any]) -> str:
    # Lists have no header for each item, and a change compares only the version.
    return f'"{body["version"]}"'


def _referrals(read_page: Callable[[Optional[str]], Json]) -> Iterator[Referral]:
    return (Referral(each, _etag_of(each)) for each in _every_item(read_page))


def _every_item(read_page: Callable[[Optional[str]], Json]) -> Iterator[Json]:
    """The items of all pages, one after another. The next page is read when you come to it."""
    cursor: Optional[str] = None
    while True:
        page = read_page(cursor)
        yield from page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            return


class Events:
    """Following what happens."""

    def __init__(self, call: Callable[..., Answer], renews_tokens: bool) -> None:
        self._call = call
        self._renews_tokens = renews_tokens

    def list(self, **query: Any) -> Json:
        """A page of events. :raises EventsGone:"""
        try:
            return self._call("listEvents", query=query).json()
        except ProblemError as error:
            # The site does not know the event after it was restored to an earlier moment.
            if error.code not in ("events-gone", "unknown-event"):
                raise
            oldest_id = error.problem.get("oldest_id")
        raise EventsGone(oldest_id)

    def resource(self, event: Event) -> Union[Referral, Json, bytes, None]:
        """What an event is about, as it is now: the `Referral`, the message, the bytes of the file, the delivery, the service. None for
        a file that was removed, and for a type of resource that is newer than this client. For the referral that any event belongs to, read
        `event["resource"]["referral_id"]`."""
        about = event["resource"]
        type_, id, referral_id = about["type"], about["id"], about["referral_id"]
        # By ids, never at `href`: so no token goes to an address that somebody put into an event.
        if type_ == "referral":
            return _versioned(self._call("getReferral", path={"id": id}))
        if type_ == "message":
            return self._call("getMessage", path={"id": referral_id, "message_id": id}).json()
        if type_ == "attachment":
            path = {"id": referral_id, "attachment_id": id}
            try:
                file: bytes = self._call("getAttachment", path=path).body
            except ProblemError as problem:
                if problem.code == "not-found":
                    return None
                raise
            return file
        if type_ == "delivery":
            path = {"id": referral_id}
            deliveries = _every_item(
                lambda cursor: self._call("listDeliveries", path=path, query={"cursor": cursor}).json()
            )
            return next((each for each in deliveries if each["id"] == id), None)
        if type_ == "service":
            return self._call("getService", path={"id": id}).json()
        if type_ == "webhook":
            return self._call("getWebhook", path={"id": id}).json()
        return None

    def latest_id(self) -> Optional[str]:
        """To follow what happens from now on, keep this and give it as `after`. None when nothing has happened yet."""
        latest_id: Optional[str] = self.list(limit=1)["latest_id"]
        return latest_id

    def follow(
        self,
        after: Optional[str] = None,
        *,
        types: Optional[Sequence[str]] = None,
        every_seconds: float = 5,
        save_position: Optional[Callable[[str], None]] = None,
        stop: Optional[threading.Event] = None,
    ) -> Iterator[Event]:
        """What happens, in its order, until `stop` is set. An event comes again if the body of your loop failed on it. While the
        site cannot be reached, it goes on asking.

        :param after: the id of the last event that you have handled. Without it you get the oldest that is kept, of 30 days ago.
        :param types: all types, if you name none.
        :param every_seconds: how often the site is asked when nothing happens.
        :param save_position: saves your position, which you pass as `after` at the next start. It is called when the body of your
            loop is done with an event, and from time to time when nothing happened, so that your place does not become older than
            the events that are kept.
        :raises EventsGone: when you were away for more than 30 days, or the site was restored and does not know `after`.
        """
        stop = stop or threading.Event()
        latest_before: Optional[str] = None
        while not stop.is_set():
            page = self._list_patiently({"limit": 100, "after": after, "type": types}, every_seconds, stop)
            if page is None:
                return
            for event in page["items"]:
                yield event
                after = event["id"]
                if save_position:
                    save_position(event["id"])
                if stop.is_set():
                    return
            # No event of these types came after `after`. So we can move on to the event that was the newest of all types
            # before we asked.
            if not page["items"] and latest_before is not None and latest_before != after:
                after = latest_before
                if save_position:
                    save_position(after)
            latest_before = page["latest_id"]
            if page["next_cursor"] is None:
                stop.wait(every_seconds)

    def _list_patiently(self, query: Json, pause: float, stop: threading.Event) -> Optional[Json]:
        """Asks until there is an answer, or until it is to stop."""
        while not stop.is_set():
            try:
                return self.list(**query)
            except CallError as error:
                # A token that was refused twice in a row is no reason to stop, since the next call gets another.
                if not _may_pass(error) and not (self._renews_tokens and is_problem(error, "invalid-token")):
                    raise
                retry_after = error.retry_after if isinstance(error, ProblemError) else None
            stop.wait(max(retry_after or 0, pause))
        return None


def _may_pass(error: CallError) -> bool:
    """The site cannot be reached, or something in between answers in its place."""
    if not isinstance(error, ProblemError):
        return True
    return error.status == 429 or error.status >= 500 or error.code == _NOT_FROM_SITE


# --- One call, from its operation to its answer: with a token, a timeout, and retries where they do no harm -------------------


class _Route(NamedTuple):
    method: str
    path: str
    #: Changes nothing, so it may be repeated.
    reads: bool
    #: May be repeated with the same Idempotency-Key.
    takes_key: bool
    #: Needs no access token.
    open: bool


class _Wanted(NamedTuple):
    operation_id: str
    path: Mapping[str, Any]
    query: Mapping[str, Any]
    header: Mapping[str, str]
    body: Any
    idempotency_key: Optional[str]


class _File(NamedTuple):
    content: bytes
    name: str
    content_type: str


class _NoAnswer(Exception):
    """Why no answer came, in a word. What the network said is not passed on: it may hold the request, with its token."""


class _Tokens(NamedTuple):
    """Gives each call its access token; `renew` gets another in place of the one that the site refused."""

    current: Callable[[], str]
    renew: Optional[Callable[[str], str]]


_NOT_FROM_SITE = "unexpected-answer"
#: A longer Retry-After is left to the caller, as an error.
_MAX_RETRY_AFTER_SECONDS = 60


def _route_of(operation_id: str) -> _Route:
    if operation_id not in _ROUTES:
        raise TypeError(
            f"There is no operation {operation_id}. Their names are in the reference, at /api/docs of the site."
        )
    method, path, *marks = _ROUTES[operation_id].split(" ")
    return _Route(method, path, "reads" in marks, "key" in marks, "open" in marks)


def _create_call(line: "_Line", tokens: _Tokens, retries: int) -> Callable[[_Wanted], Answer]:
    def call(wanted: _Wanted) -> Answer:
        route = _route_of(wanted.operation_id)
        # So that a write is done once even if it is sent again.
        key = (wanted.idempotency_key or str(uuid.uuid4())) if route.takes_key else None
        send = line.sender(route, wanted, key)
        is_safe_to_repeat = route.reads or key is not None
        is_renewed = False
        attempt = 0
        while True:
            attempt += 1
            # Each time, because another call may have got a new one during a pause.
            token = None if route.open else tokens.current()
            error: CallError
            try:
                answer = send(token, attempt)
                if 200 <= answer.status < 300 and not _is_page(answer):
                    return answer
                error = _refusal(answer, route, wanted.operation_id, key)
            except _NoAnswer as reason:
                error = NoAnswerError(_FailedCall(wanted.operation_id, not route.reads, key), str(reason))
            status = error.status if isinstance(error, ProblemError) else None
            if status == 401 and token is not None and tokens.renew and not is_renewed:
                tokens.renew(token)
                is_renewed = True
                attempt -= 1
                continue
            pause = _pause_before(attempt, error)
            # A 429 comes before any work is done.
            if attempt > retries or pause is None or not (is_safe_to_repeat or status == 429):
                raise error
            time.sleep(pause)

    return call


def _is_page(answer: Answer) -> bool:
    """The API never answers with a page. One comes from something in between, such as the sign-in page of a network."""
    return answer.headers.get("content-type", "").startswith("text/html")


def _pause_before(attempt: int, error: CallError) -> Optional[float]:
    """How many seconds to wait before the next attempt; None if another attempt would not help."""
    # Half a second, one, two … up to eight, each shortened by chance, so that many clients do not come back together.
    back_off: float = min(8.0, 0.25 * 2**attempt) * (0.5 + random.random() / 2)
    if not isinstance(error, ProblemError):
        return back_off
    is_passing = error.status in (429, 502, 503, 504) or error.code == "still-in-progress"
    seconds = error.retry_after or 0
    if not is_passing or seconds > _MAX_RETRY_AFTER_SECONDS:
        return None
    return max(seconds, back_off)


def _refusal(answer: Answer, route: _Route, operation_id: str, key: Optional[str]) -> ProblemError:
    """A refusal of the site, or of something between here and there, whose text is not passed on."""
    is_problem = answer.headers.get("content-type", "").startswith("application/problem+json")
    problem: Json = (
        answer.body
        if is_problem and isinstance(answer.body, dict)
        else {
            "type": _NOT_FROM_SITE,
            "title": "The answer is not one of the site",
            "status": answer.status,
            "detail": "Something between you and the site may have given it, such as a proxy.",
            "request_id": answer.headers.get("x-request-id", ""),
        }
    )
    may_be_done = not route.reads and (not is_problem or answer.status >= 500)
    return ProblemError(_FailedCall(operation_id, may_be_done, key), problem, _retry_after(answer.headers))


def _retry_after(headers: Mapping[str, str]) -> Optional[float]:
    """In seconds; the header has seconds or a date."""
    text = headers.get("retry-after")
    if text is None:
        return None
    if text.isdigit():
        return float(text)
    moment = _http_date(text)
    return None if moment is None else max(0.0, moment - time.time())


def _http_date(text: str) -> Optional[float]:
    try:
        return email.utils.parsedate_to_datetime(text).timestamp()
    except (TypeError, ValueError):
        return None


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Nothing about a person is sent on to another address."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class _Line:
    """Sends requests to the site, and reports them."""

    def __init__(
        self,
        site: str,
        timeout_seconds: float,
        headers: Mapping[str, str],
        on_call: Optional[Callable[[CallReport], None]],
    ) -> None:
        self._site = site
        self._timeout_seconds = timeout_seconds
        self._headers = headers
        self._on_call = on_call
        self._opener = urllib.request.build_opener(_NoRedirect)

    def sender(
        self, route: _Route, wanted: _Wanted, key: Optional[str]
    ) -> Callable[[Optional[str], int], Answer]:
        url = self._site + _fill_in(route.path, wanted.path) + _in_query(wanted.query)
        headers = {"accept": "application/json", **self._headers}
        body: Optional[bytes] = None
        if isinstance(wanted.body, _File):
            body, headers["content-type"] = _form_of(wanted.body)
        elif wanted.body is not None:
            body = json.dumps(wanted.body, ensure_ascii=False).encode()
            headers["content-type"] = "application/json"
        headers.update(wanted.header)
        if key is not None:
            headers["idempotency-key"] = key

        def send(token: Optional[str], attempt: int) -> Answer:
            bearer = {} if token is None else {"authorization": f"Bearer {token}"}
            request = urllib.request.Request(url, body, {**headers, **bearer}, method=route.method)
            started_at = time.monotonic()
            answer: Optional[Answer] = None
            try:
                answer = self._open(request, route, wanted.operation_id)
                return answer
            finally:
                self._report(
                    CallReport(
                        wanted.operation_id,
                        route.method,
                        route.path,
                        attempt,
                        answer.status if answer else None,
                        time.monotonic() - started_at,
                        answer.headers.get("x-request-id") if answer else None,
                        answer.headers.get("sunset") if answer else None,
                    )
                )

        return send

    def _open(self, request: urllib.request.Request, route: _Route, operation_id: str) -> Answer:
        try:
            try:
                response: Any = self._opener.open(request, timeout=self._timeout_seconds)
            except urllib.error.HTTPError as refused:
                response = refused
            headers = {name.lower(): value for name, value in response.headers.items()}
            status = response.status
            content_type = headers.get("content-type", "")
            if 200 <= status < 300 and content_type.startswith("application/x-ndjson"):
                return Answer(status, headers, _lines_of(response, operation_id))
            with response:
                content = response.read()
            if re.match(r"application/(problem\+)?json\b", content_type):
                return Answer(status, headers, json.loads(content))
            return Answer(status, headers, content if content or content_type else None)
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = _reason_of(error)
        raise _NoAnswer(reason)

    def _report(self, report: CallReport) -> None:
        # A log that fails must not look like a call that failed.
        try:
            if self._on_call:
                self._on_call(report)
        except Exception:
            pass


def _reason_of(error: BaseException) -> str:
    cause = getattr(error, "reason", None) or error
    return "time-out" if isinstance(cause, TimeoutError) or "timed out" in str(cause) else type(cause).__name__


def _lines_of(response: Any, operation_id: str) -> Iterator[bytes]:
    with response:
        try:
            for line in response:
                if line.strip():
                    yield line
            return
        except (OSError, http.client.HTTPException) as error:
            reason = _reason_of(error)
    raise NoAnswerError(_FailedCall(operation_id, False, None), reason)


def _fill_in(path: str, values: Mapping[str, Any]) -> str:
    """:raises ValueError: when a value is missing, or would lead to another path."""

    def value_of(match: "re.Match[str]") -> str:
        given = values.get(match[1])
        value = "" if given is None else str(given)
        if re.fullmatch(r"\.{0,2}", value):
            raise ValueError(f"path[{match[1]!r}] is missing.")
        return urllib.parse.quote(value, safe="")

    return re.sub(r"\{(\w+)\}", value_of, path)


def _in_query(values: Mapping[str, Any]) -> str:
    pairs: List[Tuple[str, str]] = []
    for name, value in values.items():
        several: Iterable[Any] = value if isinstance(value, (list, tuple)) else [value]
        pairs += [(name, _as_text(each)) for each in several if each is not None]
    return f"?{urllib.parse.urlencode(pairs)}" if pairs else ""


def _as_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _form_of(file: _File) -> Tuple[bytes, str]:
    boundary = uuid.uuid4().hex
    name = re.sub(r'[\r\n"\\]', "_", file.name)
    head = (
        f'--{boundary}\r\ncontent-disposition: form-data; name="file"; filename="{name}"\r\n'
        f"content-type: {file.content_type}\r\n\r\n"
    )
    body = head.encode() + file.content + f"\r\n--{boundary}--\r\n".encode()
    return body, f"multipart/form-data; boundary={boundary}"


def _site_address(site: str, insecure_http: bool) -> str:
    """The address without a slash at its end. The errors do not repeat it, because there may be a password in it."""
    parts = urllib.parse.urlsplit(site)
    is_local = parts.hostname in ("localhost", "127.0.0.1", "::1")
    if parts.scheme not in ("https", "http") or not parts.hostname:
        raise ValueError("`site` must begin with https://, or with http:// for a site on this computer.")
    if parts.username or parts.password or parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ValueError("`site` is only the address of the site, such as https://onward.example.org")
    if parts.scheme != "https" and not (parts.scheme == "http" and (is_local or insecure_http)):
        raise ValueError("`site` must begin with https://, unless it is on this computer.")
    return f"{parts.scheme}://{parts.netloc}"


# --- Tokens -------------------------------------------------------------------------------------------------------------------
# They are kept in closures, so that no `repr`, `vars` or serialiser finds them.

#: A new token is asked for when the old one has this long to live, so that none ends on its way.
_MARGIN_SECONDS = 60


def _create_tokens(
    line: _Line,
    refresh_token: Optional[str],
    access_token: Optional[str],
    store: Optional[TokenStore],
    retries: int,
) -> _Tokens:
    if access_token is not None:
        fixed = _token_text(access_token, "access_token")
        return _Tokens(lambda: fixed, None)
    secret = _token_text(refresh_token, "refresh_token")
    call = _create_call(line, _Tokens(lambda: "", None), retries)

    def refresh() -> StoredToken:
        body = {"refreshToken": secret}
        answer = call(_Wanted("refreshToken", {}, {}, {}, body, None))
        valid_to = _by_own_clock(answer.body["valid_to"], answer.headers)
        return {"access_token": answer.body["access_token"], "valid_to": valid_to}

    return _refreshed_tokens(refresh, store)


def _refreshed_tokens(refresh: Callable[[], StoredToken], store: Optional[TokenStore]) -> _Tokens:
    """Gets access tokens with a refresh token. If several threads need a new one at once, the site is asked once."""
    lock = threading.Lock()
    known: Optional[StoredToken] = None
    in_flight: Optional["Future[str]"] = None

    def get_new(refused: Optional[str]) -> str:
        nonlocal known
        stored = store.load() if store else None
        if stored is not None and _is_fresh(stored) and stored["access_token"] != refused:
            known = stored
        else:
            known = refresh()
            if store:
                store.save(known)
        return known["access_token"]

    def get(refused: Optional[str] = None) -> str:
        nonlocal in_flight
        own: "Future[str]" = Future()
        with lock:
            # Another call may have got a new one while this one was on its way.
            if known is not None and known["access_token"] != refused and (refused or _is_fresh(known)):
                return known["access_token"]
            waited_for = in_flight
            if waited_for is None:
                in_flight = own
        if waited_for is not None:
            return waited_for.result()
        try:
            token = get_new(refused)
            own.set_result(token)
            return token
        except BaseException as error:
            own.set_exception(error)
            raise
        finally:
            with lock:
                in_flight = None

    return _Tokens(get, get)


def _is_fresh(token: StoredToken) -> bool:
    return _moment(token["valid_to"]).timestamp() - time.time() > _MARGIN_SECONDS


def _by_own_clock(moment: str, headers: Mapping[str, str]) -> str:
    """A moment of the site, by the clock of this computer, which may be wrong."""
    site_now = _http_date(headers.get("date", ""))
    if site_now is None:
        return moment
    own = time.time() + _moment(moment).timestamp() - site_now
    return datetime.datetime.fromtimestamp(own, datetime.timezone.utc).isoformat()


def _moment(text: str) -> datetime.datetime:
    # Python 3.9 does not read the Z.
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def _token_text(given: object, name: str) -> str:
    """:raises ValueError: what the network says of a token that cannot be sent would repeat it."""
    text = given.strip() if isinstance(given, str) else ""
    if not re.fullmatch(r"[\x21-\x7e]+", text):
        raise ValueError(f"`{name}` is missing or not whole.")
    return text


# --- Webhooks -----------------------------------------------------------------------------------------------------------------
# They are signed by the Standard Webhooks rules: https://www.standardwebhooks.com/

#: A call that was signed earlier, or by a clock that runs this far ahead, is refused.
_TOLERANCE_SECONDS = 300


class _Headers(Protocol):
    """Of a request, as any server has them: a mapping, or an `email.message.Message`."""

    def items(self) -> Iterable[Tuple[str, str]]: ...


def verify_webhook(raw_body: Union[bytes, str], headers: _Headers, secrets: Union[str, Sequence[str]]) -> Event:
    """The event in a call to your webhook.

    Give it the body as it came, not parsed, and the secret that you were shown; both secrets for 24 hours after you made a new
    one. Answer 400 to `BadSignature`, and 500 to anything that fails on your side: the site then sends the event again.

    :raises BadSignature: unless the site signed the call within the last five minutes.
    """
    keys = [_key_of(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets or [""])]
    if not isinstance(raw_body, (bytes, bytearray, str)):
        raise TypeError("Give the body of the webhook as it came, as bytes or text, before it is parsed.")
    given = {name.lower(): value for name, value in headers.items()}
    id, timestamp, signatures = (given.get(f"webhook-{name}") for name in ("id", "timestamp", "signature"))
    if not id or not timestamp or not signatures:
        raise BadSignature("A webhook- header is missing.")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > _TOLERANCE_SECONDS:
        raise BadSignature("It was not signed within the last five minutes, or your clock is wrong.")
    body = raw_body.encode() if isinstance(raw_body, str) else raw_body
    for key in keys:
        expected = f"v1,{_signature(key, id, timestamp, body)}"
        if any(hmac.compare_digest(expected.encode(), each.encode()) for each in signatures.split(" ")):
            event: Event = json.loads(body)
            return event
    raise BadSignature("No signature is right. Is the body as it came, and is this the secret of this webhook?")


def sign_webhook(body: Union[bytes, str], *, id: str, secret: str, at: Optional[float] = None) -> Dict[str, str]:
    """The headers that the site would send with a body: for tests of your webhook."""
    timestamp = str(int(time.time() if at is None else at))
    signature = _signature(_key_of(secret), id, timestamp, body.encode() if isinstance(body, str) else body)
    return {"webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": f"v1,{signature}"}


def _key_of(secret: object) -> bytes:
    """:raises ValueError: a secret that was not copied whole is a fault on this side, and no reason to refuse the call."""
    text = secret.strip() if isinstance(secret, str) else ""
    try:
        key = base64.b64decode(text[len("whsec_") :] if text.startswith("whsec_") else text, validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise ValueError("The secret of the webhook is missing or not whole.")
    return key


def _signature(key: bytes, id: str, timestamp: str, body: bytes) -> str:
    signed = f"{id}.{timestamp}.".encode() + body
    return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


# --- Users who sign in as themselves ------------------------------------------------------------------------------------------


class SignIn(NamedTuple):
    #: Send the browser here.
    url: str
    #: Keep this for this browser, in its session, until it comes back.
    state: str


def start_sign_in(site: str, return_url: str, *, form_post: bool = False, insecure_http: bool = False) -> SignIn:
    """Begins the sign-in of a user. `return_url` is registered at the site; the user comes back to it. With `form_post` the token
    comes in a form that is posted there, and so in no address. Your cookie then has to be `SameSite=None; Secure`."""
    if not urllib.parse.urlsplit(return_url).hostname:
        raise ValueError("`return_url` must be a whole address, such as https://client.example.org/back")
    state = str(uuid.uuid4())
    back = f"{return_url}{'&' if '?' in return_url else '?'}{urllib.parse.urlencode({'state': state})}"
    query = {"returnUrl": back, **({"response_mode": "form_post"} if form_post else {})}
    return SignIn(f"{_site_address(site, insecure_http)}/apilogin?{urllib.parse.urlencode(query)}", state)


def finish_sign_in(
    url: str, state: Optional[str], form: Optional[Mapping[str, str]] = None
) -> str:
    """Ends it, with the address that the browser came back to, the state that you kept for this browser, and the form that was
    posted, if any. Never log that address.

    :returns: the user's access token, for `Onward(access_token=…)`. It works for 180 minutes and cannot be refreshed.
    :raises ValueError: when the request does not belong to a sign-in that this browser began.
    """
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(url).query))
    given = query.get("state", "")
    if not state or not hmac.compare_digest(given.encode(), state.encode()):
        raise ValueError("This browser has not begun the sign-in, or has finished it already.")
    token = (form if form is not None else query).get("token")
    if not token:
        raise ValueError("The browser came back without a token.")
    return token


# --- Made from openapi.json by `npm run generate`. Do not change what follows by hand. ----------------------------------------

ProblemCode = Literal[
    "address-not-allowed",
    "api-access-disabled",
    "bad-request",
    "bad-return-address",
    "cannot-be-retried",
    "cannot-refer",
    "copy-not-reviewed",
    "copy-reviewed",
    "cross-site-request",
    "death-reported",
    "does-not-fit",
    "email-taken",
    "events-gone",
    "feed-unreadable",
    "forbidden",
    "form-of-somebody-else",
    "idempotency-key-reused",
    "identity-taken",
    "identity-unknown",
    "insufficient-scope",
    "internal-error",
    "invalid-refresh-token",
    "invalid-token",
    "invalid-token-request",
    "key-changed",
    "last-operator",
    "last-way-to-sign-in",
    "link-ended",
    "list-full",
    "list-name-taken",
    "message-not-read",
    "method-not-allowed",
    "missing-token",
    "needs-person",
    "no-mail-server",
    "no-story",
    "no-such-account",
    "not-for-systems",
    "not-found",
    "not-signed-in-anew",
    "not-to-be-invited",
    "nothing-to-check",
    "nothing-to-do",
    "own-rights",
    "person-mismatch",
    "possible-duplicate",
    "provider-declined",
    "provider-unavailable",
    "referral-erased",
    "referral-held",
    "referral-restricted",
    "refers-themselves",
    "risk-not-acted-on",
    "second-factor-required",
    "service-exists",
    "service-has-referrals",
    "sign-in-not-finished",
    "still-in-progress",
    "too-large",
    "too-many-attempts",
    "too-many-keys",
    "too-many-lists",
    "too-many-requests",
    "too-many-webhooks",
    "unavailable",
    "unknown-event",
    "unprocessable",
    "unsupported-media-type",
    "version-missing",
    "version-stale",
    "wrong-state",
]

_ROUTES = {
    "getTokenStatus": "GET /api/token/status reads",
    "refreshToken": "POST /api/token/refresh reads open",
    "listServices": "GET /api/library/services reads",
    "createService": "POST /api/library/services",
    "exportServices": "GET /api/library/services.ndjson reads",
    "searchServices": "POST /api/library/services/search reads",
    "listServicesAtLocations": "GET /api/library/service_at_locations reads",
    "exportServicesAtLocations": "GET /api/library/service_at_locations.ndjson reads",
    "listOrganizations": "GET /api/library/organizations reads",
    "exportOrganizations": "GET /api/library/organizations.ndjson reads",
    "listTaxonomies": "GET /api/library/taxonomies reads",
    "exportTaxonomies": "GET /api/library/taxonomies.ndjson reads",
    "listTaxonomyTerms": "GET /api/library/taxonomy_terms reads",
    "exportTaxonomyTerms": "GET /api/library/taxonomy_terms.ndjson reads",
    "getLibrary": "GET /api/library/ reads",
    "getService": "GET /api/library/services/{id} reads",
    "replaceService": "PUT /api/library/services/{id}",
    "deleteService": "DELETE /api/library/services/{id}",
    "getServiceAtLocation": "GET /api/library/service_at_locations/{id} reads",
    "getTaxonomy": "GET /api/library/taxonomies/{id} reads",
    "getTaxonomyTerm": "GET /api/library/taxonomy_terms/{id} reads",
    "getOrganization": "GET /api/library/organizations/{id} reads",
    "setServiceCapacity": "PUT /api/library/services/{id}/capacity",
    "markServiceChecked": "POST /api/library/services/{id}/checked",
    "getServiceReferralSettings": "GET /api/library/services/{id}/referral_settings reads",
    "setServiceReferralSettings": "PUT /api/library/services/{id}/referral_settings",
    "makeServiceWebhookSecret": "POST /api/library/services/{id}/referral_settings/webhook_secret",
    "listServiceHistory": "GET /api/library/services/{id}/history reads",
    "getPostcode": "GET /api/library/postcodes/{postcode} reads",
    "listPractices": "GET /api/practices reads",
    "getPractice": "GET /api/practices/{ods_code} reads",
    "setPracticeChannels": "PUT /api/practices/{ods_code}/channels",
    "listServiceLists": "GET /api/library/lists reads",
    "createServiceList": "POST /api/library/lists",
    "getServiceList": "GET /api/library/lists/{id} reads",
    "renameServiceList": "PATCH /api/library/lists/{id}",
    "deleteServiceList": "DELETE /api/library/lists/{id}",
    "listSavedServices": "GET /api/library/lists/{id}/services reads",
    "saveServiceOnList": "PUT /api/library/lists/{id}/services/{service_id}",
    "takeServiceOffList": "DELETE /api/library/lists/{id}/services/{service_id}",
    "createReferral": "POST /api/referrals key",
    "listReferrals": "GET /api/referrals reads",
    "rerouteReferral": "POST /api/referrals/{id}/reroute key",
    "searchReferrals": "POST /api/referrals/search reads",
    "getReferral": "GET /api/referrals/{id} reads",
    "changeDraft": "PUT /api/referrals/{id}",
    "correctReferral": "PATCH /api/referrals/{id}",
    "getReferralHistory": "GET /api/referrals/{id}/history reads",
    "requestReferral": "POST /api/referrals/{id}/request",
    "seeToReferral": "POST /api/referrals/{id}/seen-to",
    "acceptReferral": "POST /api/referrals/{id}/accept",
    "rejectReferral": "POST /api/referrals/{id}/reject",
    "startReferral": "POST /api/referrals/{id}/start",
    "holdReferral": "POST /api/referrals/{id}/hold",
    "changeWait": "POST /api/referrals/{id}/change-wait",
    "completeReferral": "POST /api/referrals/{id}/complete",
    "failReferral": "POST /api/referrals/{id}/fail",
    "cancelReferral": "POST /api/referrals/{id}/cancel",
    "withdrawReferral": "POST /api/referrals/{id}/withdraw-as-error",
    "closeGpAction": "POST /api/referrals/{id}/gp-actions/{number}/done-by-hand",
    "logContact": "POST /api/referrals/{id}/contacts",
    "bookAppointment": "POST /api/referrals/{id}/appointments",
    "cancelAppointment": "POST /api/referrals/{id}/appointments/{appointment_id}/cancel",
    "addMeasures": "POST /api/referrals/{id}/measures",
    "dismissPrompt": "POST /api/referrals/{id}/prompts/{prompt_id}/dismiss",
    "sendPersonPage": "POST /api/referrals/{id}/person-page",
    "endPersonPage": "POST /api/referrals/{id}/person-page/end",
    "undoEnding": "POST /api/referrals/{id}/undo-ending",
    "undoDecline": "POST /api/referrals/{id}/undo-decline",
    "confirmEnding": "POST /api/referrals/{id}/confirm-ending",
    "changeAgreement": "POST /api/referrals/{id}/agreement-changed",
    "tellChange": "POST /api/referrals/{id}/things-have-changed",
    "listChanges": "GET /api/referrals/{id}/things-have-changed reads",
    "confirmChange": "POST /api/referrals/{id}/things-have-changed/{change_id}/confirm",
    "transferReferral": "POST /api/referrals/{id}/transfer",
    "reportDeath": "POST /api/referrals/{id}/died",
    "confirmDeath": "POST /api/referrals/{id}/died/confirm",
    "undoDeath": "POST /api/referrals/{id}/died/undo",
    "listMessages": "GET /api/referrals/{id}/messages reads",
    "sendMessage": "POST /api/referrals/{id}/messages key",
    "getMessage": "GET /api/referrals/{id}/messages/{message_id} reads",
    "listAttachments": "GET /api/referrals/{id}/attachments reads",
    "attachFile": "POST /api/referrals/{id}/attachments key",
    "getAttachment": "GET /api/referrals/{id}/attachments/{attachment_id} reads",
    "removeAttachment": "POST /api/referrals/{id}/attachments/{attachment_id}/remove",
    "openReferral": "POST /api/referrals/{id}/open",
    "listOpenings": "GET /api/referrals/{id}/openings reads",
    "restrictReferral": "POST /api/referrals/{id}/restrict",
    "unrestrictReferral": "POST /api/referrals/{id}/unrestrict",
    "eraseReferral": "POST /api/referrals/{id}/erase",
    "placeLegalHold": "POST /api/referrals/{id}/legal-hold",
    "liftLegalHold": "POST /api/referrals/{id}/lift-legal-hold",
    "listDeliveries": "GET /api/referrals/{id}/deliveries reads",
    "getReferralLetter": "GET /api/referrals/{id}/letter.pdf reads",
    "listDeliveriesToSeeTo": "GET /api/deliveries reads",
    "getDelivery": "GET /api/deliveries/{id} reads",
    "retryDelivery": "POST /api/deliveries/{id}/retry",
    "sendDeliveryAnotherWay": "POST /api/deliveries/{id}/send-another-way",
    "markDeliveryDone": "POST /api/deliveries/{id}/done",
    "assignDelivery": "POST /api/deliveries/{id}/assign",
    "getLeaflet": "GET /api/referrals/{id}/leaflet.pdf reads",
    "listSimulations": "GET /api/simulator reads",
    "listStories": "GET /api/simulator/stories reads",
    "moveTimeOn": "POST /api/simulator/{id}/move-on",
    "listEvents": "GET /api/events reads",
    "addWebhook": "POST /api/webhooks",
    "listWebhooks": "GET /api/webhooks reads",
    "getWebhook": "GET /api/webhooks/{id} reads",
    "changeWebhook": "PATCH /api/webhooks/{id}",
    "removeWebhook": "DELETE /api/webhooks/{id}",
    "rotateWebhookSecret": "POST /api/webhooks/{id}/rotate-secret",
    "testWebhook": "POST /api/webhooks/{id}/test",
    "listWebhookAttempts": "GET /api/webhooks/{id}/attempts reads",
    "replayWebhook": "POST /api/webhooks/{id}/replay",
    "exportPatientRecord": "POST /api/patients/export",
    "getRecordCopy": "GET /api/patients/copies/{id} reads",
    "getCopiedRecord": "GET /api/patients/copies/{id}/record reads",
    "getReportSummary": "GET /api/reports/summary reads",
    "getReportFigure": "GET /api/reports/{id} reads",
    "listLooseEnds": "GET /api/loose-ends reads",
    "retryLooseEnd": "POST /api/loose-ends/{id}/retry",
    "closeLooseEnd": "POST /api/loose-ends/{id}/done",
    "getSite": "GET /api/ reads open",
    "addTrouble": "POST /api/simulator/troubles",
    "listTroubles": "GET /api/simulator/troubles reads",
    "clearTroubles": "DELETE /api/simulator/troubles",
    "getTrouble": "GET /api/simulator/troubles/{id} reads",
    "moveOwnTimeOn": "POST /api/simulator/move-on",
}
