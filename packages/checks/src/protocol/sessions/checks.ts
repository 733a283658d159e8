/** @module Checks of sessions and of streams that break off, in the stateful era over HTTP. */
import { couldNotRun, notApplicable } from "../../verdict/check-result.ts";
import { findingUnless } from "../../verdict/rule.ts";
import { from, spec, stateful, statefulHttp } from "../../verdict/specification.ts";
import { describeAnswer, isOutageStatus, resultOf } from "../conversation/exchange.ts";
import { faultUnless, judged } from "../conversation/verdicts.ts";
import { noFixtureServer } from "../fixtures.ts";
import { overHttp, type ProtocolCheck } from "../protocol-check.ts";
import { isSuccess } from "../transport/checks.ts";
import { isPrimed } from "./observe.ts";

const common = { category: "transport", transports: overHttp } as const;
const noSession = "The server opens no session.";

export const sessionChecks: ProtocolCheck[] = [
  {
    ...common,
    id: "session-id-visible-ascii",
    title: "Session ids are plain",
    description: "A session id holds only visible ASCII characters, 0x21 to 0x7E.",
    rules: [...spec("MUST", statefulHttp, "Session management", "basic/transports#session-management")],
    needs: ["opening"],
    judge({ opening: { exchange, sessionId } }) {
      if (sessionId === undefined) return notApplicable(noSession);
      return judged(faultUnless(/^[\x21-\x7e]+$/.test(sessionId), "the session id holds other characters"), [
        exchange,
      ]);
    },
  },
  {
    ...common,
    id: "session-initialized-accepted",
    title: "Takes the end of the handshake",
    description: "notifications/initialized is answered with success.",
    rules: [
      ...spec(
        "MUST",
        statefulHttp,
        "Sending messages to the server",
        "basic/transports#sending-messages-to-the-server",
      ),
    ],
    needs: ["opening"],
    judge({ opening: { initialized } }) {
      if (!initialized) return couldNotRun("The handshake did not come that far.");
      return judged(
        faultUnless(isSuccess(initialized.http?.status), `answered with ${describeAnswer(initialized)}`),
        [initialized],
      );
    },
  },
  {
    ...common,
    id: "session-delete",
    title: "Lets a client end its session",
    description: "DELETE with the session id ends the session, or is refused with 405.",
    rules: [...spec("MAY", statefulHttp, "Session management", "basic/transports#session-management")],
    needs: ["endedSession"],
    judge({ endedSession: { deleteStatus, statusAfter } }) {
      if (deleteStatus === undefined) return notApplicable(noSession);
      if (deleteStatus === 405) return notApplicable("The server does not let clients end sessions.");
      const isEnded = isSuccess(deleteStatus) || (deleteStatus === 404 && statusAfter === 404);
      const fault = `DELETE of a session was answered with HTTP ${deleteStatus}`;
      return judged(faultUnless(isEnded, fault), [], { deleteStatus });
    },
  },
  {
    ...common,
    id: "session-terminated-404",
    title: "Forgets ended sessions",
    description: "A request in a session that was ended is answered with 404.",
    rules: [...spec("MUST", statefulHttp, "Session management", "basic/transports#session-management")],
    needs: ["endedSession"],
    judge({ endedSession: { deleteStatus, statusAfter } }) {
      if (deleteStatus === undefined) return notApplicable(noSession);
      if (!isSuccess(deleteStatus)) return notApplicable("No session was ended.");
      const fault = `a request after DELETE was answered with HTTP ${statusAfter}`;
      if (isOutageStatus(statusAfter)) return couldNotRun(`${fault}, which says nothing of sessions.`);
      return judged(faultUnless(statusAfter === 404, fault), [], { deleteStatus, statusAfter });
    },
  },
  {
    ...common,
    category: "security",
    id: "session-is-no-login",
    title: "Asks for the token in a session too",
    description: "A session id does not stand in for the token that the session was opened with.",
    rules: [
      ...spec("MUST", ["2025-11-25"], "Session hijacking", "basic/security_best_practices#session-hijacking"),
    ],
    needs: ["sessionAlone"],
    judge({ sessionAlone: seen }) {
      if (seen.kind === "no-token") return notApplicable("No token was given that could be left out.");
      if (seen.kind === "no-session") return notApplicable(noSession);
      if (seen.kind === "open") {
        return isOutageStatus(seen.status)
          ? couldNotRun(`initialize without the token was answered with HTTP ${seen.status}.`)
          : notApplicable("The server does not refuse initialize without the token (401 or 403).");
      }
      const { refusal, method, status, isServed } = seen;
      if (isOutageStatus(status)) return couldNotRun(`${method} was answered with HTTP ${status}.`);
      const fault = `initialize without the token is refused with HTTP ${refusal}, but ${method} with a session id alone is served`;
      return judged(faultUnless(!isServed, fault), [], { initializeStatus: refusal, method, status });
    },
  },
  {
    ...common,
    id: "sse-polling-resume",
    title: "Takes up a broken stream",
    description:
      "A stream that is closed before its answer starts with an id to resume from, and GET with it brings the answer.",
    rules: [
      ...spec(
        "SHOULD",
        from("2025-11-25", stateful),
        "Sending messages to the server",
        "basic/transports#sending-messages-to-the-server",
      ),
    ],
    needs: ["resumption"],
    judge({ resumption }, { officialFixtures }) {
      if (!resumption) {
        return officialFixtures
          ? couldNotRun("There is no tool test_reconnection to call.")
          : notApplicable(noFixtureServer);
      }
      const { first, resumed } = resumption;
      if (first.http?.mediaType !== "text/event-stream")
        return notApplicable("The answer is no event stream.");
      if (resumed?.status === 405) return notApplicable("The server offers no stream to resume on.");
      const isAnswered = resultOf(first) !== undefined || resumed?.isAnswered === true;
      return judged(
        [
          ...faultUnless(
            isPrimed(first),
            "the stream does not begin with an event that has an id and no data",
          ),
          ...faultUnless(
            first.events.some(({ retry }) => retry !== undefined),
            "the stream names no retry time",
          ),
        ],
        [first],
        { events: first.events.length },
        findingUnless(isAnswered, "MAY", `resuming brought no answer (HTTP ${resumed?.status ?? "none"})`),
      );
    },
  },
];
