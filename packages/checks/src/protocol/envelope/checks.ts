/** @module Checks of the stateless envelope: what must be in it, what is refused, and what every result says of itself. */
import { isObject } from "@fettle/mcp";
import { couldNotRun, notApplicable } from "../../verdict/check-result.ts";
import { findingUnless } from "../../verdict/rule.ts";
import { spec, stateless } from "../../verdict/specification.ts";
import { describeAnswer, type Exchange, errorOf, isForeign, resultOf } from "../conversation/exchange.ts";
import { judgeRefusal, refusedWith } from "../conversation/refusals.ts";
import type { Opening } from "../conversation/talk.ts";
import { faultUnless, isText, judged, judgedServed } from "../conversation/verdicts.ts";
import { overHttp, type ProtocolCheck } from "../protocol-check.ts";
import { evidenceOf, sentence, wireFault } from "../wire/checks.ts";
import { neverVersion } from "./observe.ts";

function incompleteEnvelope(
  id: string,
  what: string,
  seen: "withoutMeta" | "withoutVersion" | "withoutCapabilities",
): ProtocolCheck {
  return {
    id,
    title: `Refuses a request without ${what}`,
    description: `A request without ${what} is answered with 400 and -32602.`,
    category: "protocol",
    rules: spec("MUST", stateless, "Request metadata", "basic#meta"),
    needs: [seen],
    judge: (all) => judgeRefusal(all[seen], -32602),
  };
}

export const envelopeChecks: ProtocolCheck[] = [
  incompleteEnvelope("modern-meta-missing", "_meta", "withoutMeta"),
  incompleteEnvelope("modern-missing-protocol-version", "a protocol version in _meta", "withoutVersion"),
  incompleteEnvelope(
    "modern-missing-client-capabilities",
    "client capabilities in _meta",
    "withoutCapabilities",
  ),
  {
    id: "modern-client-info-optional",
    title: "Serves a client that does not say who it is",
    description: "A request without clientInfo is answered like any other.",
    category: "protocol",
    rules: [...spec("schema", stateless, "Request metadata", "basic#meta")],
    needs: ["withoutClientInfo"],
    judge: ({ withoutClientInfo: exchange }) =>
      judgedServed(
        faultUnless(resultOf(exchange) !== undefined, `answered with ${describeAnswer(exchange)}`),
        [exchange],
      ),
  },
  {
    id: "modern-unsupported-version-error",
    title: "Refuses versions it does not speak",
    description:
      "A version that does not exist is answered with 400 and -32022, naming the supported ones and the requested one.",
    category: "protocol",
    rules: [
      ...spec(
        "MUST",
        stateless,
        "Protocol version negotiation",
        "basic/versioning#protocol-version-negotiation",
      ),
    ],
    // Over stdio the official library answers discovery in whatever version it is asked.
    transports: overHttp,
    needs: ["unsupportedVersion", "opening"],
    judge({ unsupportedVersion, opening }) {
      const refused = refusedWith(unsupportedVersion, -32022);
      if ("verdict" in refused) return refused.verdict;
      const data = errorOf(unsupportedVersion)?.data;
      const { supported, requested } = isObject(data) ? data : {};
      const known = opening.result?.supportedVersions;
      const listed = Array.isArray(supported) && supported.length > 0 && supported.every(isText);
      const isSubset =
        !listed ||
        !Array.isArray(known) ||
        known.length === 0 ||
        supported.every((version) => known.includes(version));
      return judged(
        [
          ...refused.faults,
          ...faultUnless(listed, "data.supported is not a list of versions"),
          ...faultUnless(requested === neverVersion, "data.requested is not the version that was sent"),
        ],
        [unsupportedVersion],
        {},
        findingUnless(isSubset, "inferred", "data.supported names versions that server/discover does not"),
      );
    },
  },
  {
    id: "modern-removed-methods-not-found",
    title: "Has left the removed methods behind",
    description:
      "ping, logging/setLevel and resource subscriptions are answered with 404 and -32601; so is initialize, unless an older revision is served too.",
    category: "protocol",
    rules: [
      ...spec(
        "MUST",
        stateless,
        "Protocol version header",
        "basic/transports/streamable-http#protocol-version-header",
      ),
    ],
    transports: overHttp,
    needs: ["removedMethods", "opening"],
    judge({ removedMethods: all, opening }, { version }) {
      // A server of both eras may open a handshake at the same address.
      const isOfBothEras = speaksOlder(opening, version);
      const removedMethods = all.filter(({ method }) => method !== "initialize" || !isOfBothEras);
      const [first] = removedMethods;
      if (
        first &&
        removedMethods.every(isForeign) &&
        removedMethods.some(({ http }) => http?.status !== 404)
      ) {
        return couldNotRun(`Answered with ${describeAnswer(first)}, which is no MCP.`);
      }
      const kept = removedMethods.map((exchange) => ({ exchange, faults: notFoundFaults(exchange) }));
      const wrong = kept.filter(({ faults }) => faults.length > 0);
      return judged(
        wrong.map(({ exchange: { method }, faults }) => `${method}: ${faults.join(", ")}`),
        (wrong.length > 0 ? wrong : kept.slice(0, 1)).map(({ exchange }) => exchange),
      );
    },
  },
  {
    id: "modern-undeclared-capability-error",
    title: "Asks nothing that the client cannot do",
    description:
      "A tool that needs sampling refuses a client without it: 400 and -32021, naming the required capabilities.",
    category: "protocol",
    rules: [...spec("MUST", stateless, "Request metadata", "basic#meta")],
    needs: ["undeclaredCapability"],
    judge({ undeclaredCapability: exchange }, { officialFixtures }) {
      if (!exchange) return absent(officialFixtures, "test_missing_capability");
      const result = resultOf(exchange);
      if (result?.resultType === "input_required") {
        return judged(["the client was asked for what it did not declare"], [exchange]);
      }
      if (result) return couldNotRun("The tool was done without asking the client for anything.");
      const refused = refusedWith(exchange, -32021);
      if ("verdict" in refused) return refused.verdict;
      const data = errorOf(exchange)?.data;
      const required = isObject(data) ? data.requiredCapabilities : undefined;
      return judged(
        [...refused.faults, ...faultUnless(isObject(required), "data.requiredCapabilities is not an object")],
        [exchange],
      );
    },
  },
  {
    id: "modern-no-independent-requests-on-stream",
    title: "Sends no requests of its own",
    description: "While a call runs, its stream carries notifications and one answer, never a request.",
    category: "protocol",
    rules: [
      ...spec("MUST", stateless, "Receiving messages", "basic/transports/streamable-http#receiving-messages"),
    ],
    needs: ["askingStream", "wire"],
    isLast: true,
    judge({ askingStream: exchange, wire }, facts) {
      const { officialFixtures } = facts;
      const elsewhere = wireFault({ wire }, facts, "REQUEST_IN_STATELESS");
      if (elsewhere) return judged([sentence(elsewhere)], exchange ? [exchange] : [], evidenceOf(elsewhere));
      if (!exchange) return absent(officialFixtures, "test_streaming_elicitation");
      const requests = exchange.heard.flatMap((message) =>
        message.kind === "request" ? [`the server asked ${message.method}`] : [],
      );
      return judged(requests, [exchange]);
    },
  },
  {
    id: "modern-result-type-present",
    title: "Every result says its type",
    description: "Every result carries a resultType.",
    category: "protocol",
    rules: [...spec("MUST", stateless, "Responses", "basic#responses")],
    needs: ["transcript"],
    isLast: true,
    judge({ transcript }) {
      const results = transcript.filter((exchange) => resultOf(exchange) !== undefined);
      if (results.length === 0) return couldNotRun("No result was observed.");
      const untyped = results.filter((exchange) => !isText(resultOf(exchange)?.resultType));
      const methods = [...new Set(untyped.map(({ method }) => method))];
      return judged(
        methods.map((method) => `the result of ${method} has no resultType`),
        untyped.slice(0, 2),
        { results: results.length },
      );
    },
  },
];

/** A rule that needs a fixture: without one it does not apply, unless the server is said to keep the official contract. */
export function absent(officialFixtures: boolean, fixture: string) {
  return officialFixtures
    ? couldNotRun(`The server lacks the fixture ${fixture}.`)
    : notApplicable("No tool is known that may be called to see it.");
}

/** It also serves a revision before this one. */
export function speaksOlder({ result }: Opening, version: string): boolean {
  const known = result?.supportedVersions;
  return Array.isArray(known) && known.some((one) => one < version);
}

function notFoundFaults(exchange: Exchange): string[] {
  const refused = refusedWith(exchange, -32601, 404);
  return "faults" in refused ? refused.faults : [];
}
