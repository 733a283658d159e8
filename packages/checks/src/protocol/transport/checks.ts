/** @module Checks of the HTTP transport, and of what protects a server on a person's own machine. */
import { couldNotRun, notApplicable } from "../../verdict/check-result.ts";
import { spec, statefulHttp, stateless } from "../../verdict/specification.ts";
import { describeAnswer, isOutageStatus, resultOf } from "../conversation/exchange.ts";
import { faultUnless, judged } from "../conversation/verdicts.ts";
import { speaksOlder } from "../envelope/checks.ts";
import { overHttp, type ProtocolCheck, type ProtocolFacts } from "../protocol-check.ts";

const answerTypes = new Set(["application/json", "text/event-stream"]);

const sendingMessages = [
  ...spec(
    "MUST",
    statefulHttp,
    "Sending messages to the server",
    "basic/transports#sending-messages-to-the-server",
  ),
  ...spec("MUST", stateless, "Sending messages", "basic/transports/streamable-http#sending-messages"),
];

const onlyLocal = ({ isLoopback }: ProtocolFacts) =>
  isLoopback ? undefined : "The server is not on this machine, so no page can be rebound to it.";

export const transportChecks: ProtocolCheck[] = [
  {
    id: "notification-post-accepted",
    title: "Accepts notifications",
    description:
      "A POST that holds only a notification is answered with 202 and no body where the server accepts it.",
    category: "transport",
    rules: [
      ...spec(
        "MUST",
        statefulHttp,
        "Sending messages to the server",
        "basic/transports#sending-messages-to-the-server",
      ),
    ],
    transports: overHttp,
    needs: ["notificationPost"],
    judge({ notificationPost }) {
      const { status, isEmpty } = notificationPost.http ?? { status: 0, isEmpty: true };
      // One that is not accepted must be refused with such a status; a server whose session is lost does so with 404.
      if (status >= 400)
        return couldNotRun(`The notification was refused with HTTP ${status}, as it may be.`);
      return judged(
        [
          ...faultUnless(status === 202, `answered with HTTP ${status} instead of 202`),
          ...faultUnless(isEmpty, "the answer has a body"),
        ],
        [notificationPost],
      );
    },
  },
  {
    id: "get-stream-or-405",
    title: "GET opens a stream or is refused",
    description: "GET is answered with an event stream, or with 405.",
    category: "transport",
    rules: [
      ...spec(
        "MUST",
        statefulHttp,
        "Listening for messages from the server",
        "basic/transports#listening-for-messages-from-the-server",
      ),
    ],
    transports: overHttp,
    needs: ["getStream"],
    judge({ getStream: { status, mediaType } }) {
      const isStream = status >= 200 && status < 300 && mediaType === "text/event-stream";
      const fault = `GET was answered with HTTP ${status} and "${mediaType}"`;
      return judged(faultUnless(isStream || status === 405, fault), [], { status, contentType: mediaType });
    },
  },
  {
    id: "server-accepts-multiple-post-streams",
    title: "Serves several requests at once",
    description: "Three requests sent together are all answered.",
    category: "transport",
    rules: sendingMessages,
    transports: overHttp,
    needs: ["concurrent"],
    judge: ({ concurrent }) =>
      judged(
        concurrent.flatMap((exchange) =>
          // A result with another status is told as that; it was served all the same.
          faultUnless(
            isSuccess(exchange.http?.status) || resultOf(exchange) !== undefined,
            `id ${exchange.id}: ${describeAnswer(exchange)}`,
          ),
        ),
        concurrent,
      ),
  },
  {
    id: "server-sse-streams-functional",
    title: "Event streams carry events",
    description: "Each of three concurrent answers that is an event stream carries at least one whole event.",
    category: "transport",
    rules: [
      ...spec(
        "SHOULD",
        statefulHttp,
        "Sending messages to the server",
        "basic/transports#sending-messages-to-the-server",
      ),
      ...spec(
        "inferred",
        stateless,
        "Receiving messages",
        "basic/transports/streamable-http#receiving-messages",
      ),
    ],
    transports: overHttp,
    needs: ["concurrent"],
    judge({ concurrent }) {
      const streams = concurrent.filter(({ http }) => http?.mediaType === "text/event-stream");
      const empty = streams.filter(({ events }) => !events.some(({ data }) => data !== ""));
      return judged(
        empty.map(({ id }) => `the stream for id ${id} carried no event`),
        empty,
        { streams: streams.length, json: concurrent.length - streams.length },
      );
    },
  },
  {
    id: "post-response-content-type",
    title: "Answers are JSON or event streams",
    description: "A POST with a request is answered with application/json or text/event-stream.",
    category: "transport",
    rules: sendingMessages,
    transports: overHttp,
    needs: ["opening", "tools"],
    judge({ opening, tools }) {
      const answers = [opening.exchange, ...tools.pages.slice(0, 1)].filter(({ http }) =>
        isSuccess(http?.status),
      );
      if (answers.length === 0) return couldNotRun("No request was served.");
      const wrong = answers.filter(({ http }) => !answerTypes.has(http?.mediaType ?? ""));
      return judged(
        wrong.map(({ method, http }) =>
          http?.mediaType
            ? `${method} was answered with "${http.mediaType}"`
            : `${method} was answered without a Content-Type`,
        ),
        answers,
      );
    },
  },
  {
    id: "localhost-host-rebinding-rejected",
    title: "Refuses rebound names",
    description:
      "A POST or GET whose Origin is another site's is refused, whatever its Host: that is what DNS rebinding looks like.",
    category: "security",
    rules: [
      ...spec("MUST", statefulHttp, "Security warning", "basic/transports#security-warning"),
      ...spec("MUST", stateless, "Streamable HTTP: security", "basic/transports/streamable-http"),
    ],
    transports: overHttp,
    unless: onlyLocal,
    needs: ["foreignHost", "foreignOrigin"],
    judge({ foreignHost, foreignOrigin: { post, get } }, { version }) {
      const isRefused = (status = 0) =>
        version >= "2025-11-25" ? status === 403 : status >= 400 && status < 500;
      return judged(
        [
          ...faultUnless(
            isRefused(foreignHost.http?.status),
            `another site's Host and Origin: ${describeAnswer(foreignHost)}`,
          ),
          ...faultUnless(
            isRefused(post.http?.status),
            `another site's Origin with the server's own Host: ${describeAnswer(post)}`,
          ),
          // Where there is no such stream there is nothing to guard, and one that is refused may be so for another reason.
          ...faultUnless(
            get === undefined || !isSuccess(get.status),
            `GET with another site's Origin: HTTP ${get?.status}`,
          ),
        ],
        [foreignHost, post],
      );
    },
  },
  {
    id: "origin-invalid-403",
    title: "Refuses other sites everywhere, and with 403",
    description:
      "A server that refuses a POST for its Origin answers 403, to it and in a session to GET and DELETE, at any address.",
    category: "security",
    rules: [
      ...spec("MUST", ["2025-11-25"], "Security warning", "basic/transports#security-warning"),
      ...spec("MUST", stateless, "Streamable HTTP: security", "basic/transports/streamable-http"),
    ],
    transports: overHttp,
    needs: ["opening", "foreignOrigin", "foreignInSession"],
    judge({ opening, foreignOrigin: { post }, foreignInSession }) {
      if (!opening.result) return couldNotRun("The server does not even answer without an Origin.");
      const seen = [{ method: "POST", status: post.http?.status }, ...foreignInSession];
      const outage = seen.find(({ status }) => isOutageStatus(status));
      if (outage) return couldNotRun(`${outage.method} was answered with HTTP ${outage.status}.`);
      // Which sites are valid is the server's to say; only on this machine none but its own can be.
      if (isSuccess(post.http?.status))
        return notApplicable("The server takes the Origin of another site for a valid one.");
      const wrong = seen.filter(({ status }) => status !== 403);
      return judged(
        wrong.map(({ method, status }) => `${method} with another site's Origin: HTTP ${status ?? "none"}`),
        [post],
        { statuses: Object.fromEntries(seen.map(({ method, status }) => [method, status])) },
      );
    },
  },
  {
    id: "localhost-host-valid-accepted",
    title: "Serves its own name",
    description: "A request whose Host and Origin are the server's own is served.",
    category: "security",
    rules: [
      ...spec("contract", statefulHttp, "Security warning", "basic/transports#security-warning"),
      ...spec("contract", stateless, "Streamable HTTP: security", "basic/transports/streamable-http"),
    ],
    transports: overHttp,
    unless: onlyLocal,
    needs: ["ownHost", "opening"],
    judge({ ownHost, opening }) {
      if (!opening.result) return couldNotRun("The server does not even answer without these headers.");
      const isServed = isSuccess(ownHost.http?.status) && resultOf(ownHost) !== undefined;
      return judged(faultUnless(isServed, `answered with ${describeAnswer(ownHost)}`), [ownHost]);
    },
  },
  {
    id: "modern-no-session-id",
    title: "Has no sessions",
    description: "No answer carries an Mcp-Session-Id: the revision has no sessions.",
    category: "transport",
    rules: [
      ...spec(
        "SHOULD",
        stateless,
        "Earlier Streamable HTTP revisions",
        "basic/transports/streamable-http#earlier-streamable-http-revisions",
      ),
    ],
    transports: overHttp,
    needs: ["transcript", "opening"],
    isLast: true,
    judge({ transcript, opening }, { version }) {
      if (transcript.length === 0) return couldNotRun("Nothing was exchanged.");
      if (speaksOlder(opening, version))
        return notApplicable("The server also serves a revision with sessions.");
      const guilty = transcript.filter(({ http }) => http?.headers["mcp-session-id"] !== undefined);
      return judged(
        guilty.slice(0, 1).map(({ method }) => `the answer to ${method} carries a session id`),
        guilty.slice(0, 1),
      );
    },
  },
];

export function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}
