/** @module Checks of subscriptions: the acknowledgement first, every message marked, nothing that nobody asked for. */
import { isObject, type JsonObject } from "@fettle/mcp";
import { couldNotRun, notApplicable, type Verdict } from "../../verdict/check-result.ts";
import { spec, stateless } from "../../verdict/specification.ts";
import { describeAnswer, type Exchange, errorOf, isForeign } from "../conversation/exchange.ts";
import { faultUnless, judged, judgedServed } from "../conversation/verdicts.ts";
import { overHttp, type ProtocolCheck } from "../protocol-check.ts";
import type { ProtocolSeen } from "../seen.ts";
import { acknowledged, listChanged } from "./observe.ts";

const subscriptionKey = "io.modelcontextprotocol/subscriptionId";

const subscribing = {
  category: "transport",
  transports: overHttp,
  needs: ["subscriptions"],
} as const satisfies Partial<ProtocolCheck>;

type Listened = Extract<ProtocolSeen["subscriptions"], { kind: "listened" }>;

export const subscriptionChecks: ProtocolCheck[] = [
  {
    ...subscribing,
    id: "modern-subscription-ack-precedes-notifications",
    title: "Acknowledges a subscription first",
    description: "The first message on a listening stream acknowledges the subscription.",
    rules: [...spec("MUST", stateless, "Acknowledgment", "basic/patterns/subscriptions#acknowledgment")],
    judge: ({ subscriptions }) =>
      judgeListening(subscriptions, ({ wide }) => {
        const error = errorOf(wide);
        if (error)
          return judgedServed([`subscriptions/listen was answered with ${describeAnswer(wide)}`], [wide]);
        const first = notificationsIn(wide)[0];
        return judged(
          faultUnless(
            first?.method === acknowledged,
            first ? `the first message is ${first.method}` : "no acknowledgement came",
          ),
          [wide],
        );
      }),
  },
  {
    ...subscribing,
    id: "modern-subscription-filter-and-tagging",
    title: "Marks what it tells, and tells only what was asked for",
    description:
      "Every message on a listening stream carries the id of its subscription; types that were not asked for do not appear.",
    rules: [...spec("MUST", stateless, "Opening a stream", "basic/patterns/subscriptions#opening-a-stream")],
    judge: ({ subscriptions }) =>
      judgeListening(subscriptions, ({ wide, narrow, filter }) => {
        const streams = narrow ? [wide, narrow] : [wide];
        if (streams.every((stream) => notificationsIn(stream).length === 0)) {
          return couldNotRun("Nothing came on a listening stream.");
        }
        const unmarked = streams.flatMap((stream) =>
          notificationsIn(stream)
            .filter(({ params }) => subscriptionOf(params) !== stream.id)
            .map(({ method }) => `${method} does not carry the id of its subscription`),
        );
        const { toolsListChanged: _tools, ...others } = filter;
        const unasked = [...uninvited(wide, filter), ...(narrow ? uninvited(narrow, others) : [])].map(
          (method) => `${method} was not asked for`,
        );
        return judged([...new Set([...unmarked, ...unasked])], streams);
      }),
  },
  {
    ...subscribing,
    id: "modern-subscription-list-changed-delivery",
    title: "Tells of changes",
    description: "A change of the tools or prompts is told to those who listen for it.",
    rules: [
      ...spec("SHOULD", stateless, "List changed notification", "server/tools#list-changed-notification"),
    ],
    judge: ({ subscriptions }) =>
      judgeListening(subscriptions, ({ wide, triggered }) => {
        if (triggered.length === 0)
          return notApplicable("No tool is known that may be called to change a list.");
        const heard = new Set(notificationsIn(wide).map(({ method }) => method));
        const missed = triggered.filter((method) => !heard.has(method));
        return judged(
          missed.map((method) => `${method} did not come after the change`),
          [wide],
        );
      }),
  },
  {
    ...subscribing,
    id: "modern-subscription-graceful-close",
    title: "Ends a subscription with an answer",
    description: "A listening stream that the server ends carries a result for the request first.",
    rules: [
      ...spec("SHOULD", stateless, "Graceful closure", "basic/patterns/subscriptions#graceful-closure"),
    ],
    judge: ({ subscriptions }) =>
      judgeListening(subscriptions, ({ wide }) =>
        wide.ended === "complete"
          ? judged(faultUnless(wide.answer !== undefined, "the stream ended without an answer"), [wide])
          : notApplicable("The server kept the stream open, as it may."),
      ),
  },
  {
    ...subscribing,
    id: "listen-resource-updates",
    title: "Lets resources be listened to",
    description: "A server that offers subscriptions to resources acknowledges one as its first message.",
    rules: [...spec("MUST", stateless, "Acknowledgment", "basic/patterns/subscriptions#acknowledgment")],
    needs: ["resourceListening"],
    judge({ resourceListening }) {
      if (!resourceListening) return notApplicable("The server offers no subscriptions to resources.");
      const { uri, exchange } = resourceListening;
      if (isForeign(exchange)) {
        return couldNotRun(`Answered with ${describeAnswer(exchange)}, which is no MCP.`);
      }
      const [first] = notificationsIn(exchange);
      const isRefused = errorOf(exchange) !== undefined || !first;
      return judgedServed(
        isRefused
          ? [`listening to ${uri} was answered with ${describeAnswer(exchange)}`]
          : faultUnless(first.method === acknowledged, `the first message is ${first.method}`),
        [exchange],
      );
    },
  },
];

function judgeListening(
  subscriptions: ProtocolSeen["subscriptions"],
  judge: (listened: Listened) => Verdict,
): Verdict {
  if (subscriptions.kind !== "listened")
    return notApplicable("The server advertises nothing to subscribe to.");
  if (isForeign(subscriptions.wide)) {
    return couldNotRun(`Answered with ${describeAnswer(subscriptions.wide)}, which is no MCP.`);
  }
  return judge(subscriptions);
}

function notificationsIn({ heard }: Exchange): { method: string; params: JsonObject }[] {
  return heard.flatMap((message) => (message.kind === "notification" ? [message] : []));
}

function subscriptionOf({ _meta }: JsonObject): unknown {
  return isObject(_meta) ? _meta[subscriptionKey] : undefined;
}

const asked = new Map<string, string>([
  [listChanged.tools, "toolsListChanged"],
  [listChanged.prompts, "promptsListChanged"],
  ["notifications/resources/list_changed", "resourcesListChanged"],
  ["notifications/resources/updated", "resourceSubscriptions"],
]);

function uninvited(stream: Exchange, filter: JsonObject): string[] {
  return notificationsIn(stream)
    .map(({ method }) => method)
    .filter((method) => {
      const wish = asked.get(method);
      return wish !== undefined && !(wish in filter);
    });
}
