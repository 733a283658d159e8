/** @module Checks and advice made from the rules of the wire: the doctor and the commands tell the same. */
import type { Inbound, WireProblem, WireProblemCode } from "@fettle/mcp";
import type { Adviser } from "../../verdict/advise.ts";
import { couldNotRun, notApplicable } from "../../verdict/check-result.ts";
import type { WireRule } from "../../wire/wire-rule.ts";
import { judgeWire, type WireFault, wireRules } from "../../wire/wire-rules.ts";
import { judged } from "../conversation/verdicts.ts";
import type { ProtocolCategory, ProtocolCheck, ProtocolFacts } from "../protocol-check.ts";
import type { ProtocolSeen } from "../seen.ts";

interface Telling {
  code: WireProblemCode;
  title: string;
  description: string;
  category: ProtocolCategory;
  /** The messages it is about; without one there is nothing to judge. */
  about?: { isOne(message: Inbound): boolean; none: string };
}

const progress: Telling["about"] = {
  isOne: (message) => message.kind === "notification" && message.method === "notifications/progress",
  none: "No progress was seen.",
};

const tellings: readonly Telling[] = [
  {
    code: "BATCH_ARRAY",
    title: "Sends messages one by one",
    description: "No message comes inside an array: only 2025-03-26 has JSON-RPC batches.",
    category: "transport",
  },
  {
    code: "BYTE_ORDER_MARK",
    title: "Begins no message with a byte order mark",
    description: "JSON that is sent over a wire has no byte order mark before it.",
    category: "transport",
  },
  {
    code: "INVALID_UTF8",
    title: "Writes UTF-8",
    description: "Every message is valid UTF-8, byte by byte.",
    category: "transport",
  },
  {
    code: "DUPLICATE_ANSWER",
    title: "Answers each request once",
    description: "No request is answered a second time.",
    category: "protocol",
  },
  {
    code: "LOG_UNDECLARED",
    title: "Declares logging before it logs",
    description: 'Log messages come only from a server that declares the "logging" capability.',
    category: "protocol",
    about: {
      isOne: (message) => message.kind === "notification" && message.method === "notifications/message",
      none: "No log message was seen.",
    },
  },
  {
    code: "PROGRESS_UNASKED",
    title: "Reports progress only where it was asked to",
    description: "Progress notifications carry a token that a request gave.",
    category: "protocol",
    about: progress,
  },
  {
    code: "PROGRESS_NOT_RISING",
    title: "Progress rises",
    description: "Each progress notification of a request has a greater progress than the one before.",
    category: "protocol",
    about: progress,
  },
  {
    code: "PROGRESS_AFTER_ANSWER",
    title: "Reports no progress after the end",
    description: "Once a request was answered, no progress comes for it any more.",
    category: "protocol",
    about: progress,
  },
  {
    code: "NOTIFICATION_UNDECLARED",
    title: "Declares what it notifies of",
    description: "Changes are notified only by a server that declares the capability for it.",
    category: "protocol",
    about: {
      isOne: (message) =>
        message.kind === "notification" && /^notifications\/(tools|prompts|resources)\//.test(message.method),
      none: "No change was notified.",
    },
  },
  {
    code: "NOTIFICATION_WITH_ID",
    title: "Sends notifications without an id",
    description: "No notification carries an id, which would make it a request.",
    category: "protocol",
    about: { isOne: ({ kind }) => kind === "notification", none: "No notification was seen." },
  },
  {
    code: "SESSION_GUESSABLE",
    title: "Session IDs cannot be guessed",
    description: "Each client gets a session ID of its own, and none can be derived from another.",
    category: "security",
  },
  {
    code: "MESSAGE_ON_STDERR",
    title: "Answers on stdout",
    description: "Every request is answered on stdout, the only place where clients read answers.",
    category: "transport",
  },
  {
    code: "COMPRESSED_UNLABELED",
    title: "Labels compressed bodies",
    description: "A compressed body says so in Content-Encoding.",
    category: "transport",
  },
  {
    code: "CONTENT_LENGTH_TOO_LONG",
    title: "Sends as many bytes as it says",
    description: "Content-Length is the length of the body.",
    category: "transport",
  },
  {
    code: "JSON_AS_EVENT_STREAM",
    title: "Labels event streams and JSON as what they are",
    description: "A body of the type text/event-stream consists of events.",
    category: "transport",
  },
  {
    code: "REQUEST_UNDECLARED",
    title: "Asks only what the client offers",
    description: "The server sends no request for which the client declared no capability.",
    category: "protocol",
    about: {
      isOne: (message) => message.kind === "request" && message.method !== "ping",
      none: "The server asked nothing.",
    },
  },
  {
    code: "UNKNOWN_RESULT_TYPE",
    title: "Results are of a known type",
    description: "Every result is complete, asks for input, or is of a type that the client declared.",
    category: "protocol",
    about: { isOne: ({ kind }) => kind === "result", none: "No result was seen." },
  },
];

export const wireChecks: ProtocolCheck[] = tellings.map(({ code, about, ...words }) => {
  const [rule, ...others] = rulesOf(code);
  const isAnywhere = others.length > 0 || rule.transports === undefined;
  return {
    id: rule.checkId,
    ...words,
    // Where the sentence depends on the transport, the last is the one that every revision has; a fault cites its own.
    rules: (others.at(-1) ?? rule).rules,
    ...(!isAnywhere && { transports: rule.transports }),
    needs: ["wire", "transcript"],
    isLast: true,
    judge({ wire, transcript }, facts) {
      const fault = wireFault({ wire }, facts, code);
      if (fault) {
        const { word, url } = fault.said;
        return judged([], [], evidenceOf(fault), [{ word, message: sentence(fault), url }]);
      }
      const heard = transcript.flatMap((exchange) => exchange.heard);
      if (heard.length === 0) return couldNotRun("No message of the server was observed.");
      if (about && !heard.some(about.isOne)) return notApplicable(about.none);
      return judged([], [], { messages: heard.length });
    },
  };
});

const advised: readonly [WireProblemCode, title: string][] = [
  ["EVENT_IGNORED", "Sends messages in events that clients read"],
  ["RESULT_ON_ERROR_STATUS", "Sends results with a status of success"],
  ["STREAM_LEFT_OPEN", "Ends event streams after the answer"],
  ["ORIGIN_LEFT", "Stays on its origin"],
  ["EVENT_NOT_ENDED", "Ends every event with a blank line"],
  ["NOTIFICATION_STORM", "Does not flood clients with notifications"],
  ["ICON_UNSAFE", "Has icons that clients may load"],
];

export const wireAdvice: readonly Adviser<ProtocolSeen, ProtocolFacts>[] = advised.map(([code, title]) => {
  const [{ checkId, rules }] = rulesOf(code);
  return {
    id: checkId,
    title,
    rules,
    needs: ["wire"],
    isLast: true,
    advise(seen, facts) {
      const fault = wireFault(seen, facts, code);
      return fault && { message: sentence(fault), details: evidenceOf(fault) };
    },
  };
});

/** What was seen of one rule, for checks that judge it beside something else. */
export function wireFault(
  { wire }: Pick<ProtocolSeen, "wire">,
  facts: ProtocolFacts,
  code: WireProblemCode,
): WireFault | undefined {
  return judgeWire(wire, facts).find(({ rule }) => rule.code === code);
}

/** As every command says it, for a check that sees the fault itself; among other reasons, so without a full stop. */
export function reasonOf({ message }: Pick<WireProblem, "message">): string {
  return message.replace(/\.$/, "");
}

export function sentence({ sentence: whole, times }: WireFault): string {
  const reason = reasonOf({ message: whole });
  return times > 1 && !reason.endsWith(" more)") ? `${reason} (${times} times)` : reason;
}

export function evidenceOf({ rule, problem, times }: WireFault): Record<string, unknown> {
  return {
    rule: rule.code,
    times,
    ...(problem.excerpt !== undefined && { excerpt: problem.excerpt }),
    hint: rule.hint,
  };
}

/** One, or one for each transport. */
function rulesOf(code: WireProblemCode): [WireRule, ...WireRule[]] {
  const [rule, ...others] = wireRules.filter((known) => known.code === code);
  if (!rule) throw new Error(`There is no rule for ${code}.`);
  return [rule, ...others];
}
