"""The client against a real test site, with everything that such a site can play on a client.

    SITE=http://localhost:8080 REFRESH_TOKEN=onr_… python3 -m unittest test_onward

`npm run test:programs -- python` starts a site for it.
"""

import ast
import concurrent.futures
import contextlib
import io
import json
import os
import pickle
import random
import re
import threading
import time
import traceback
import unittest
import uuid
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, Dict, List, Tuple, Union

import onward
from onward import BadSignature, CallReport, EventsGone, NoAnswerError, Onward, ProblemError, is_problem

SITE = os.environ["SITE"]
REFRESH_TOKEN = os.environ["REFRESH_TOKEN"]
TOKEN = re.compile(r"on[ar]_[A-Za-z0-9]{6}_")


def client(**options: Any) -> Onward:
    return Onward(SITE, refresh_token=REFRESH_TOKEN, **options)


class TestSite(unittest.TestCase):
    """A client that notes its calls. Its account has no troubles left over."""

    reports: List[CallReport]

    def setUp(self) -> None:
        client().call("clearTroubles")
        self.reports = []
        self.onward = client(on_call=self.reports.append)
        self.service_id = self.onward.services.find("Good Company befriending")["contents"][0]["id"]
        self.reports.clear()

    def play(self, kind: str, operation_id: "str | None" = None, **more: Any) -> Dict[str, Any]:
        body = {"kind": kind, **({"operation_id": operation_id} if operation_id else {}), **more}
        return client().call("addTrouble", body=body).json()

    def a_referral(self) -> Dict[str, Any]:
        name = "".join(random.choice("abcdefghij") for _ in range(12))
        return {
            "service_id": self.service_id,
            "patient": {
                "given_name": "Margaret",
                "family_name": f"Person{name}",
                "birth_date": "1947-03-09",
                "address": {"lines": ["4 Mill Lane", "Sarrowby"], "postcode": "ZT1 3GH"},
            },
            "reasons": [{"text": "She is lonely since her husband died."}],
            "consent": {"referral": True, "share_with_gp": True},
        }

    def count(self, referral: Dict[str, Any]) -> int:
        patient = referral["patient"]
        return len(
            list(client().referrals.find_person(family_name=patient["family_name"], birth_date=patient["birth_date"]))
        )

    def calls(self, *operations: str) -> List[str]:
        """What was asked and answered, such as `getTokenStatus 429`."""
        return [f"{each.operation_id} {each.status}" for each in self.reports if each.operation_id in operations]


class Survives(TestSite):
    """One test for each kind of trouble."""

    def test_expire_token(self) -> None:
        self.play("expire-token", "getTokenStatus")
        self.onward.who_am_i()
        self.assertEqual(
            self.calls("getTokenStatus", "refreshToken"),
            ["getTokenStatus 401", "refreshToken 200", "getTokenStatus 200"],
        )

    def test_end_tokens(self) -> None:
        self.play("end-tokens", "createReferral")
        referral = self.a_referral()
        self.onward.referrals.create(referral)
        self.assertEqual(self.count(referral), 1)
        self.assertEqual(
            self.calls("createReferral", "refreshToken"),
            ["createReferral 401", "refreshToken 200", "createReferral 201"],
        )

    def test_too_many_requests(self) -> None:
        self.play("too-many-requests", "createReferral", calls=2, retry_after=1)
        started_at = time.monotonic()
        referral = self.a_referral()
        self.onward.referrals.create(referral)
        self.assertGreater(time.monotonic() - started_at, 1.99)
        self.assertEqual(self.count(referral), 1)
        self.assertEqual(
            self.calls("createReferral"), ["createReferral 429", "createReferral 429", "createReferral 201"]
        )

    def test_unavailable(self) -> None:
        self.play("unavailable", "createReferral", retry_after=1)
        self.play("unavailable", "refreshToken", retry_after=1)
        referral = self.a_referral()
        client(on_call=self.reports.append).referrals.create(referral)
        self.assertEqual(self.count(referral), 1)
        self.assertEqual(self.calls("createReferral"), ["createReferral 503", "createReferral 201"])
        self.assertEqual(self.calls("refreshToken")[:2], ["refreshToken 503", "refreshToken 200"])

    def test_lose_answer(self) -> None:
        self.play("lose-answer", "createReferral", calls=2)
        self.play("lose-answer", "sendMessage")
        referral = self.a_referral()
        made = self.onward.referrals.create(referral)
        self.onward.referrals.send_message(made.id, "Would a morning suit her better?")
        self.assertEqual(self.count(referral), 1)
        self.assertEqual(len(list(self.onward.referrals.messages(made.id))), 1)
        self.assertEqual(len(self.calls("createReferral")), 3)

        self.play("lose-answer", "cancelReferral")
        reason = {"code": "client-declined", "text": "She has changed her mind."}
        cancelled = self.onward.referrals.update(
            made.id,
            lambda seen: self.onward.referrals.cancel(seen, status_reason=reason)
            if seen.status == "requested"
            else None,
        )
        self.assertEqual(cancelled.status, "cancelled")
        self.assertEqual(self.calls("cancelReferral"), ["cancelReferral None"])

    def test_slow(self) -> None:
        impatient = client(timeout_seconds=1, on_call=self.reports.append)
        self.play("slow", "createReferral", retry_after=3)
        referral = self.a_referral()
        impatient.referrals.create(referral)
        self.assertEqual(self.count(referral), 1)
        self.assertEqual(self.calls("createReferral")[0], "createReferral None")
        self.assertEqual(self.calls("createReferral")[-1], "createReferral 201")

    def test_event_gap(self) -> None:
        self.onward.referrals.create(self.a_referral())
        after = self.onward.events.latest_id()
        self.play("event-gap")
        with self.assertRaises(EventsGone) as gone:
            next(self.onward.events.follow(after))
        # As the guide says: read the referrals once more, then continue from there.
        oldest = gone.exception.oldest_id
        expected = self.onward.events.list(after=oldest, limit=1)["items"][0]
        self.assertEqual(next(self.onward.events.follow(oldest)), expected)

    def test_webhook_failing(self) -> None:
        stored: List[onward.Event] = []
        refused: List[BaseException] = []
        secrets: List[str] = []

        class Told(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                try:
                    stored.append(onward.verify_webhook(body, dict(self.headers), secrets))
                    self.send_response(204)
                except BadSignature as error:
                    refused.append(error)
                    self.send_response(400)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None: ...

        server = HTTPServer(("127.0.0.1", 0), Told)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        # Events are put in order within a second, and told to the webhooks of that moment. This webhook must hear of none made before it.
        after = self.onward.events.latest_id()
        earlier = self.onward.referrals.create(self.a_referral())
        following = self.onward.events.follow(after, every_seconds=0.2)
        next(event for event in following if event["resource"]["id"] == earlier.id)
        url = f"http://127.0.0.1:{server.server_port}/told"
        webhook = self.onward.call("addWebhook", body={"url": url, "event_types": ["referral.requested"]}).body
        secrets.append(webhook["secret"])
        try:
            trouble = self.play("webhook-failing")
            made = self.onward.referrals.create(self.a_referral())
            self.until(lambda: self.onward.call("getTrouble", path={"id": trouble["id"]}).body["played"] == 1)
            self.assertEqual(stored, [])
            self.onward.call("moveOwnTimeOn", body={"by": "hour"})
            self.until(lambda: bool(stored))
            self.assertEqual([event["resource"]["id"] for event in stored], [made.id])
            self.assertEqual(refused, [])
        finally:
            self.onward.call("removeWebhook", path={"id": webhook["id"]})
            server.shutdown()
            server.server_close()

    def until(self, holds: Any) -> None:
        deadline = time.monotonic() + 60
        while not holds():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    def test_all_of_them_together(self) -> None:
        """No event is lost, and no referral is made twice."""
        after = self.onward.events.latest_id()
        self.play("lose-answer", "createReferral", calls=3)
        self.play("unavailable", "createReferral", calls=2, retry_after=1)
        self.play("expire-token", "createReferral")
        self.play("too-many-requests", "createReferral", retry_after=1)
        self.play("lose-answer", "listEvents", calls=4)
        self.play("end-tokens", "listEvents")
        self.play("unavailable", "listEvents", calls=2, retry_after=1)
        self.play("lose-answer", "refreshToken")
        seen: List[str] = []
        positions: List[str] = []
        stop = threading.Event()

        def follow() -> None:
            for event in self.onward.events.follow(
                after, types=["referral.requested"], every_seconds=0.1, save_position=positions.append, stop=stop
            ):
                seen.append(event["resource"]["id"])

        with concurrent.futures.ThreadPoolExecutor() as pool:
            following = pool.submit(follow)
            made: List[str] = []
            try:
                for _ in range(5):
                    referral = self.a_referral()
                    # A call may give up after its three repetitions; its key is then what to go on with.
                    key = str(uuid.uuid4())
                    for attempt in range(4):
                        try:
                            made.append(self.onward.referrals.create(referral, idempotency_key=key).id)
                            break
                        except onward.CallError:
                            if attempt == 3:
                                raise
                    self.assertEqual(self.count(referral), 1)
                self.until(lambda: len(seen) >= len(made) or following.done())
            finally:
                stop.set()
            following.result(60)
        self.assertEqual(seen, made)
        self.assertGreaterEqual(len(positions), len(made) - 1)


class Events(TestSite):
    def test_reads_what_an_event_is_about(self) -> None:
        after = self.onward.events.latest_id()
        made = self.onward.referrals.create(self.a_referral())
        self.onward.referrals.send_message(made, "Is Tuesday all right?")
        self.onward.referrals.attach(made, b"%PDF-1.4\n%%EOF\n", "letter.pdf")
        delivery = self.onward.call("listDeliveries", path={"id": made.id}).body["items"][0]
        types = ["referral.requested", "message.created", "attachment.created"]
        following = self.onward.events.follow(after, types=types, every_seconds=0.1)
        events = [next(following) for _ in types]
        referral, message, file = (self.onward.events.resource(each) for each in events)
        assert isinstance(referral, onward.Referral)
        self.assertEqual((referral.id, referral.status), (made.id, "requested"))
        assert isinstance(message, dict) and isinstance(file, bytes)
        self.assertEqual(message["text"], "Is Tuesday all right?")
        self.assertIn(b"%PDF", file)

        def read(type_: str, id: str) -> Any:
            # Nothing is sent to an address in an event.
            event = events[0].copy()
            event["resource"] = {"type": type_, "id": id, "referral_id": made.id, "href": "http://127.0.0.1:1/"}
            return self.onward.events.resource(event)

        self.assertEqual(read("delivery", delivery["id"])["id"], delivery["id"])
        self.assertEqual(read("service", self.service_id)["id"], self.service_id)
        self.assertIsNone(read("something-new", made.id))


class Curated(TestSite):
    def test_finding_and_reading_services(self) -> None:
        found = self.onward.services.find("walking", per_page=1)["contents"][0]
        self.assertEqual(self.onward.services.get(found["id"])["name"], found["name"])
        every = list(self.onward.services.all())
        self.assertGreater(len(every), 5)
        self.assertIn(found["id"], [each["id"] for each in every])
        self.assertEqual([each.sunset for each in self.reports if each.sunset], [])
        self.onward.call("listServices", query={"format": "json"})
        self.assertEqual(self.reports[-1].sunset, "Wed, 01 Dec 2027 00:00:00 GMT")

    def test_the_life_of_a_referral(self) -> None:
        referrals = self.onward.referrals
        draft = referrals.draft({"reasons": [{"text": "Lonely"}]})
        self.assertEqual(draft.status, "draft")
        ready = referrals.change_draft(draft, self.a_referral())
        sent = referrals.send(ready)
        self.assertEqual(sent.status, "requested")
        urgent = referrals.correct(sent, urgency="urgent")
        with self.assertRaises(ProblemError) as stale:
            referrals.withdraw_as_error(sent)
        self.assertTrue(is_problem(stale.exception, "version-stale"))
        self.assertFalse(is_problem(stale.exception, "wrong-state"))
        listed = next(referrals.list(direction="made"))
        self.assertEqual((listed.id, listed.etag), (urgent.id, '"' + str(urgent["version"]) + '"'))
        file = b"\x89PNG\r\n\x1a\n" + b"\0" * 64
        with self.assertRaises(ProblemError) as text:
            referrals.attach(sent.id, b"hello", "hello.txt", "text/plain")
        self.assertIn("PDF, PNG or JPEG", str(text.exception))
        attached = referrals.attach(sent.id, file, 'a "photo".png', "image/png")
        self.assertEqual(attached["name"], "a _photo_.png")
        withdrawn = referrals.withdraw_as_error(referrals.get(sent.id))
        self.assertEqual(withdrawn.status, "entered-in-error")

    def test_a_referral_is_named_by_its_id_or_by_itself(self) -> None:
        referrals = self.onward.referrals
        referral = referrals.create(self.a_referral())
        message = referrals.send_message(referral, "Would a morning suit her better?")
        self.assertEqual(list(referrals.messages(referral)), [message])
        self.assertEqual(referrals.get(referral).id, referral.id)
        file = b"\x89PNG\r\n\x1a\n" + b"\0" * 64
        attached = referrals.attach(referral, file, "photo.png")
        self.assertEqual((attached["name"], attached["media_type"]), ("photo.png", "image/png"))
        reason = {"code": "client-declined", "text": "She has changed her mind."}
        cancelled = referrals.update(referral, lambda seen: referrals.cancel(seen, status_reason=reason))
        self.assertEqual(cancelled.status, "cancelled")
        rerouted = referrals.reroute(
            cancelled, service_id=self.service_id, consent={"referral": True, "share_with_gp": True}
        )
        self.assertEqual(rerouted["reroutes"], referral.id)

    def test_says_which_field_is_wrong(self) -> None:
        referral = self.a_referral()
        referral["consent"] = {}
        with self.assertRaises(ProblemError) as refused:
            self.onward.referrals.create(referral)
        needed = {"pointer": "/consent/referral", "message": "is required"}
        self.assertIn(needed, refused.exception.errors)
        self.assertIn("/consent/referral: is required", str(refused.exception))

    def test_tells_the_site_what_a_person_has_on_a_screen(self) -> None:
        referrals = self.onward.referrals
        made = referrals.create(self.a_referral())
        sent: List[Dict[str, str]] = []
        inner = referrals._call

        def note(operation_id: str, **options: Any) -> onward.Answer:
            sent.append(dict(options.get("header") or {}))
            return inner(operation_id, **options)

        referrals._call = note
        referrals.get(made)
        referrals.get(made, shown_to_person=True)
        list(referrals.messages(made))
        list(referrals.messages(made, shown_to_person=True))
        person = {"onward-shown-to": "person"}
        self.assertEqual(sent, [{}, person, {}, person])

    def test_wrong_use_is_told_in_words_of_this_client(self) -> None:
        referrals = self.onward.referrals
        wrong: Dict[str, Any] = {
            "'id'": lambda: referrals.get(None),  # type: ignore[arg-type]
            "Pass the referral as `get` or `list` returned it": lambda: referrals.accept("12"),  # type: ignore[arg-type]
            "as bytes": lambda: referrals.attach("12", "text", "letter.pdf"),  # type: ignore[arg-type]
            "Name the file": lambda: referrals.attach("12", b"%PDF", ""),
            "/api/docs of the site": lambda: self.onward.call("getNothing"),
            "begin with https://": lambda: Onward("localhost:8080", access_token="ona_1"),
            "a whole address": lambda: onward.start_sign_in(SITE, "/back"),
            "missing or not whole": lambda: onward.verify_webhook(b"", {}, None),  # type: ignore[arg-type]
            "as bytes or text": lambda: onward.verify_webhook({}, {}, "whsec_bmV3"),  # type: ignore[arg-type]
        }
        for words, use in wrong.items():
            with self.assertRaisesRegex((TypeError, ValueError), re.escape(words)):
                use()

    def test_what_is_wrong_before_anything_is_sent(self) -> None:
        for site in ("onward", "http://onward.example.org", "https://a:secret@b.org", "https://b.org/api"):
            with self.assertRaises(ValueError) as wrong:
                Onward(site, refresh_token="onr_1")
            self.assertNotIn("secret", str(wrong.exception))
        with self.assertRaises(ValueError) as half:
            Onward(SITE, refresh_token="onr_ü secret")
        self.assertNotIn("secret", str(half.exception))
        with self.assertRaises(TypeError):
            Onward(SITE)
        with self.assertRaises(TypeError):
            self.onward.call("getNothing")
        for id in ("", ".."):
            with self.assertRaises(ValueError):
                self.onward.referrals.get(id)
        self.assertEqual(self.reports, [])

    def test_names_are_those_of_the_published_document(self) -> None:
        path = Path(__file__).resolve().parents[2] / "openapi.json"
        if not path.exists():
            self.skipTest("This is not a clone of the repository.")
        document = json.loads(path.read_text())
        request = document["paths"]["/api/referrals"]["post"]["requestBody"]["content"]["application/json"]["schema"]

        def properties(schema: Dict[str, Any], name: "str | None" = None) -> Dict[str, Any]:
            """All properties of a schema, or the schema of one of them, through references and alternatives."""
            if "$ref" in schema:
                *_, last = schema["$ref"].split("/")
                return properties(document["components"]["schemas"][last], name)
            found = dict(schema.get("properties", {}))
            for each in [*schema.get("allOf", []), *schema.get("anyOf", []), *schema.get("oneOf", [])]:
                found.update(properties(each))
            return properties(found[name]) if name else found

        names = onward.NewReferral.__annotations__
        self.assertLessEqual(set(names), set(properties(request)))
        for name, typed in {"patient": onward.Patient, "consent": onward.Consent}.items():
            self.assertLessEqual(set(typed.__annotations__), set(properties(request, name)))
        event = document["components"]["schemas"]["Event"]
        self.assertLessEqual(set(onward.Event.__annotations__), set(properties(event)))
        self.assertEqual(set(onward.Resource.__annotations__), set(properties(event, "resource")))

    def test_the_file_is_for_python_3_9(self) -> None:
        ast.parse(Path(__file__).with_name("onward.py").read_text(), feature_version=(3, 9))


class Tokens(TestSite):
    def test_one_refresh_is_in_flight(self) -> None:
        fresh = client(on_call=self.reports.append)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            who = list(pool.map(lambda _: str(fresh.who_am_i()["account"]["id"]), range(8)))
        self.assertEqual(len(set(who)), 1)
        self.assertEqual(self.calls("refreshToken"), ["refreshToken 200"])
        # They are all refused at once, and one gets another token for all of them.
        self.reports.clear()
        self.play("end-tokens", "getTokenStatus")
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda _: fresh.who_am_i(), range(8)))
        self.assertIn(self.calls("refreshToken"), (["refreshToken 200"], ["refreshToken 200"] * 2))

    def test_a_store_is_shared(self) -> None:
        class Store:
            kept: "onward.StoredToken | None" = None

            def load(self) -> "onward.StoredToken | None":
                return self.kept

            def save(self, token: onward.StoredToken) -> None:
                self.kept = token

        store = Store()
        client(tokens=store, on_call=self.reports.append).who_am_i()
        client(tokens=store, on_call=self.reports.append).who_am_i()
        self.assertEqual(self.calls("refreshToken"), ["refreshToken 200"])

    def test_none_is_in_anything_that_a_program_may_log(self) -> None:
        logged: List[str] = []

        def note(value: object) -> None:
            logged.extend([repr(value), str(value), repr(getattr(value, "__dict__", ""))])
            if isinstance(value, BaseException):
                logged.extend(traceback.format_exception(type(value), value, value.__traceback__))

        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            careful = client(retries=0, on_call=note)
            careful.who_am_i()
            for each in (careful, careful.call, careful.referrals, careful.events, careful._call):
                note(each)
            with self.assertRaises(ProblemError) as refused:
                careful.referrals.get("nothing")
            note(refused.exception)
            self.play("lose-answer", "getTokenStatus")
            with self.assertRaises(NoAnswerError) as lost:
                careful.who_am_i()
            note(lost.exception)
            self.play("lose-answer", "refreshToken")
            with self.assertRaises(NoAnswerError) as nothing:
                client(retries=0).who_am_i()
            note(nothing.exception)
            with self.assertRaises(ProblemError) as invalid:
                Onward(SITE, refresh_token=REFRESH_TOKEN[:-1] + "x", retries=0).who_am_i()
            note(invalid.exception)
            referral = self.onward.referrals.create(self.a_referral())
            note(referral)
        everything = "\n".join([*logged, out.getvalue()])
        self.assertNotRegex(everything, TOKEN)
        self.assertNotIn("Margaret", everything)
        self.assertGreater(len(logged), 20)
        with self.assertRaises(TypeError):
            pickle.dumps(careful)


class Webhooks(unittest.TestCase):
    secret = "whsec_" + "c2VjcmV0IG9mIGEgdGVzdA=="
    body = json.dumps({"id": "1", "type": "referral.accepted"})

    def test_takes_what_the_site_signed(self) -> None:
        headers = onward.sign_webhook(self.body, id="1", secret=self.secret)
        bodies: List[Union[str, bytes]] = [self.body, self.body.encode()]
        for given in bodies:
            self.assertEqual(onward.verify_webhook(given, headers, ["whsec_b3RoZXI=", self.secret])["id"], "1")
        several = {**headers, "webhook-signature": "v1,bm8= " + headers["webhook-signature"]}
        onward.verify_webhook(self.body, {name.title(): value for name, value in several.items()}, self.secret)

    def test_refuses_anything_else(self) -> None:
        good = onward.sign_webhook(self.body, id="1", secret=self.secret)
        old = onward.sign_webhook(self.body, id="1", secret=self.secret, at=time.time() - 301)
        calls: List[Tuple[str, Dict[str, str]]] = [
            (self.body + " ", good),
            (self.body, old),
            (self.body, {}),
            (self.body, {**good, "webhook-id": "2"}),
            (self.body, {**good, "webhook-timestamp": "soon"}),
            (self.body, {**good, "webhook-signature": good["webhook-signature"].replace("v1,", "v2,")}),
            (self.body, {**good, "webhook-signature": "ü"}),
        ]
        for body, headers in calls:
            with self.assertRaises(BadSignature):
                onward.verify_webhook(body, headers, self.secret)
        # A secret that was not copied whole is our own fault, and no reason to refuse the call.
        with self.assertRaises(ValueError):
            onward.verify_webhook(self.body, good, "whsec_")


class SigningIn(unittest.TestCase):
    def test_comes_back_to_the_browser_that_began(self) -> None:
        begun = onward.start_sign_in(SITE, "https://client.example.org/back?x=1")
        self.assertIn("/apilogin?returnUrl=https%3A%2F%2Fclient.example.org%2Fback%3Fx%3D1%26state%3D", begun.url)
        back = f"/back?x=1&state={begun.state}&token=ona_1"
        self.assertEqual(onward.finish_sign_in(back, begun.state), "ona_1")
        self.assertEqual(onward.finish_sign_in(f"/back?state={begun.state}", begun.state, {"token": "ona_2"}), "ona_2")
        for state in (None, "", "another"):
            with self.assertRaises(ValueError):
                onward.finish_sign_in(back, state)


if __name__ == "__main__":
    unittest.main()
