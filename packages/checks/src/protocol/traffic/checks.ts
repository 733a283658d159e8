/** @module Checks that grade the run's own traffic: what a server says, when, and on which stream. None of them asks anything of its own. */
import { isObject } from "@fettle/mcp";
import { notApplicable } from "../../verdict/check-result.ts";
import { type Finding, findingUnless } from "../../verdict/rule.ts";
import { spec, stateful, statefulHttp, stateless } from "../../verdict/specification.ts";
import { type Exchange, resultOf } from "../conversation/exchange.ts";
import { judged } from "../conversation/verdicts.ts";
import { overHttp, type ProtocolCheck } from "../protocol-check.ts";
import {
  inSessions,
  isNotification,
  isNotificationOf,
  isRequest,
  type Notification,
  told,
} from "./traffic.ts";

const versionKey = "io.modelcontextprotocol/protocolVersion";
const cancelled = "notifications/cancelled";
const progress = "notifications/progress";
const listen = "subscriptions/listen";

/** Everything on streams of its own is another revision's, or belongs to a subscription. */
const changes = new Set([
  "notifications/tools/list_changed",
  "notifications/prompts/list_changed",
  "notifications/resources/list_changed",
  "notifications/resources/updated",
]);

export const trafficChecks: ProtocolCheck[] = [
  {
    id: "reserved-error-codes",
    title: "Uses reserved error codes only as they are defined",
    description:
      "No error has a code between -32020 and -32099 that the specification does not define, or one that it has given up.",
    category: "protocol",
    rules: spec("MUST", stateless, "Error codes", "basic#error-codes"),
    needs: ["transcript"],
    isLast: true,
    judge({ transcript }, { version }) {
      const errors = transcript
        .filter((exchange) => isOf(version, exchange))
        .flatMap((exchange) => (exchange.answer?.kind === "error" ? [{ exchange, ...exchange.answer }] : []));
      if (errors.length === 0) return notApplicable("No error was seen.");
      const wrong = errors.filter(({ exchange, error }) => isForbidden(error.code, exchange));
      return judged(
        wrong.map(({ exchange, error }) => `${exchange.method} was answered with error ${error.code}`),
        wrong.map(({ exchange }) => exchange),
        { errors: errors.length },
      );
    },
  },
  {
    id: "sse-event-ids-unique",
    title: "Gives every event an id of its own",
    description: "Where events carry ids, no two events of a session carry the same one.",
    category: "transport",
    rules: spec(
      "MUST",
      statefulHttp,
      "Resumability and redelivery",
      "basic/transports#resumability-and-redelivery",
    ),
    transports: overHttp,
    needs: ["transcript"],
    isLast: true,
    judge({ transcript }) {
      // Without a session the server cannot know which streams are this client's.
      const marked = transcript.flatMap(({ session, method, events }) =>
        events.flatMap(({ id }) => (id && session !== undefined ? [{ session, method, id }] : [])),
      );
      if (marked.length === 0) return notApplicable("No event of a session carries an id.");
      const seen = new Map<string, string>();
      const faults = marked.flatMap(({ session, method, id }) => {
        const key = `${session}\n${id}`;
        const before = seen.get(key);
        seen.set(key, method ?? "");
        return before === undefined
          ? []
          : [`the id ${JSON.stringify(id)} came in the answers to ${before} and ${method}`];
      });
      return judged(faults, [], { events: marked.length });
    },
  },
  {
    id: "get-stream-no-responses",
    title: "Answers on the stream of the request",
    description: "No answer comes on the stream that GET opens.",
    category: "transport",
    rules: spec(
      "MUST",
      statefulHttp,
      "Listening for messages from the server",
      "basic/transports#listening-for-messages-from-the-server",
    ),
    transports: overHttp,
    needs: ["getStream", "listened"],
    isLast: true,
    judge({ getStream, listened }) {
      if (getStream.mediaType !== "text/event-stream") return notApplicable("GET opens no stream.");
      const heard = listened.flatMap((stream) => stream.heard);
      const answers = heard.filter((message) => message.kind === "result" || message.kind === "error");
      return judged(
        answers.map(({ id }) => `an answer to request ${JSON.stringify(id)} came on it`),
        [],
        { messages: heard.length, ...told(answers) },
      );
    },
  },
  {
    id: "server-request-ids",
    title: "Numbers its requests",
    description:
      "Every request of the server has a text or a whole number for an id, and never the same twice.",
    category: "protocol",
    rules: [
      ...spec("MUST", ["2024-11-05"], "Requests", "basic/messages#requests"),
      ...spec("MUST", statefulHttp, "Requests", "basic#requests"),
    ],
    needs: ["transcript", "listened"],
    isLast: true,
    judge({ transcript, listened }) {
      const requests = inSessions([...transcript, ...listened], isRequest);
      if (requests.length === 0) return notApplicable("The server asked nothing.");
      const odd = requests.filter(
        ({ message: { id } }) => id === null || (typeof id !== "string" && !Number.isInteger(id)),
      );
      const seen = new Set<string>();
      const again = requests.filter(({ session, message: { id } }) => {
        const key = `${session}\n${JSON.stringify(id)}`;
        const isAgain = session !== undefined && seen.has(key);
        seen.add(key);
        return isAgain;
      });
      return judged(
        [
          ...odd.map(({ message }) => `${message.method} has the id ${JSON.stringify(message.id)}`),
          ...again.map(({ message }) => `the id ${JSON.stringify(message.id)} was used twice`),
        ],
        [],
        { requests: requests.length, ...told([...odd, ...again].map(({ message }) => message)) },
      );
    },
  },
  {
    id: "server-cancels-own-only",
    title: "Cancels only what it may",
    description:
      "A cancellation names a request that the server itself sent; since 2026-07-28 it names a subscription that it ends.",
    category: "protocol",
    rules: [
      ...spec(
        "MUST",
        stateful,
        "Behavior requirements",
        "basic/utilities/cancellation#behavior-requirements",
      ),
      ...spec("MUST", stateless, "Cancellation", "basic/patterns/cancellation"),
    ],
    needs: ["transcript", "listened"],
    isLast: true,
    judge({ transcript, listened }, { era }) {
      const all = [...transcript, ...listened];
      const sent = inSessions(all, isNotificationOf(cancelled));
      if (sent.length === 0) return notApplicable("The server cancelled nothing.");
      const own = new Set<unknown>(
        era === "stateful"
          ? inSessions(all, isRequest).map(({ message }) => message.id)
          : all.flatMap(({ method, id }) => (method === listen ? [id] : [])),
      );
      const wrong = sent.filter(({ message }) => !own.has(message.params.requestId));
      const what = era === "stateful" ? "a request of its own" : "a subscription";
      return judged(
        wrong.map(
          ({ message: { params } }) => `it cancelled ${JSON.stringify(params.requestId)}, not ${what}`,
        ),
        [],
        { cancellations: sent.length, ...told(wrong.map(({ message }) => message)) },
      );
    },
  },
  {
    id: "stream-notifications-related",
    title: "Says on a response stream what belongs there",
    description:
      "Notifications before an answer relate to its request: its own progress, and nothing of subscriptions.",
    category: "transport",
    rules: spec(
      "MUST",
      stateless,
      "Receiving messages",
      "basic/transports/streamable-http#receiving-messages",
    ),
    transports: overHttp,
    needs: ["transcript"],
    isLast: true,
    judge({ transcript }) {
      const streams = transcript.filter(
        ({ method, http, heard }) =>
          method !== listen && http?.mediaType === "text/event-stream" && heard.some(isNotification),
      );
      if (streams.length === 0) return notApplicable("No notification came before an answer.");
      const found = streams.flatMap(unrelated);
      const faults = found.flatMap(({ isSure, message }) => (isSure ? [message] : []));
      const doubts: Finding[] = found.flatMap(({ isSure, message }) =>
        findingUnless(isSure, "inferred", message),
      );
      return judged(faults, faults.length > 0 ? streams : [], { streams: streams.length }, doubts);
    },
  },
  {
    id: "listen-stream-only-asked",
    title: "Keeps listening streams free of everything else",
    description:
      "Progress, logs and other notifications that a subscription cannot ask for do not come on its stream.",
    category: "transport",
    rules: spec("MUST", stateless, "Opening a stream", "basic/patterns/subscriptions#opening-a-stream"),
    transports: overHttp,
    needs: ["transcript", "subscriptions"],
    isLast: true,
    judge({ transcript }) {
      const streams = transcript.filter(
        ({ method, heard }) => method === listen && heard.some(isNotification),
      );
      if (streams.length === 0) return notApplicable("Nothing came on a listening stream.");
      const astray = streams.flatMap(({ heard }) => heard.filter(isNotification).filter(isAstray));
      return judged(
        [...new Set(astray.map(({ method }) => `${method} came on a listening stream`))],
        astray.length > 0 ? streams : [],
        { streams: streams.length },
      );
    },
  },
  {
    id: "input-required-not-empty",
    title: "Asks for something when it asks",
    description: "A result that needs input has inputRequests or requestState.",
    category: "protocol",
    rules: spec(
      "MUST",
      stateless,
      "Server requirements",
      "basic/patterns/mrtr#server-requirements-basic-workflow",
    ),
    needs: ["transcript"],
    isLast: true,
    judge({ transcript }) {
      const asking = transcript.filter((exchange) => resultOf(exchange)?.resultType === "input_required");
      if (asking.length === 0) return notApplicable("No result asked for input.");
      const empty = asking.filter((exchange) => {
        const { inputRequests, requestState } = resultOf(exchange) ?? {};
        return inputRequests === undefined && requestState === undefined;
      });
      return judged(
        empty.map(({ method }) => `the result of ${method} has neither inputRequests nor requestState`),
        empty,
        { asking: asking.length },
      );
    },
  },
];

/** A request in the words of this revision; others may be served by an older one's rules. */
function isOf(version: string, { method, params, headers, http }: Exchange): boolean {
  const meta = isObject(params?._meta) ? params._meta : {};
  const isSaid = http === undefined || headers?.["mcp-protocol-version"] === version;
  return method !== "initialize" && meta[versionKey] === version && isSaid;
}

const defined = new Set([-32020, -32021, -32022]);

function isForbidden(code: number, { method }: Exchange): boolean {
  // For a resource that is not there, `resource-not-found` tells it.
  if (code === -32002) return method !== "resources/read";
  return code <= -32020 && code >= -32099 && !defined.has(code);
}

/** A call may bring a change about, so one that is told beside it may be meant to relate. */
function unrelated({ method, params, heard }: Exchange): { isSure: boolean; message: string }[] {
  const own = isObject(params?._meta) ? params._meta.progressToken : undefined;
  return heard.filter(isNotification).flatMap((said) => {
    const message = `${said.method} came on the stream of ${method}`;
    if (changes.has(said.method)) return [{ isSure: method !== "tools/call", message }];
    const isForeign = said.method === progress && said.params.progressToken !== own;
    return isForeign ? [{ isSure: true, message: `${message}, with another token` }] : [];
  });
}

/** The four kinds of change that can be asked for are judged by the filter that asked for them. */
function isAstray({ method }: Notification): boolean {
  return (
    !changes.has(method) &&
    method !== "notifications/subscriptions/acknowledged" &&
    method !== cancelled &&
    !method.startsWith("notifications/tasks")
  );
}
