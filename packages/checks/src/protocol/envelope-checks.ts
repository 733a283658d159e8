/** @module Checks of the stateless envelope: versions and headers that must be refused, and what every result must say. */

import { isObject } from "@fettle/mcp";
import { couldNotRun, type Verdict } from "../verdict/check-result.ts";
import { neverVersion } from "./envelope-observations.ts";
import { describeAnswer, type Exchange, errorOf, isForeign, resultOf } from "./exchange.ts";
import { isText } from "./lifecycle-checks.ts";
import { overHttp, type ProtocolCheck, spec, stateless } from "./protocol-check.ts";
import { faultUnless, judged } from "./verdicts.ts";

const headers = spec("Transports", "basic/transports#streamable-http", "2026-07-28");

export const envelopeChecks: ProtocolCheck[] = [
  {
    id: "modern-unsupported-version-error",
    title: "Refuses versions it does not speak",
    description:
      "A version that does not exist is answered with 400 and -32022, naming the supported ones and the requested one.",
    category: "protocol",
    severity: "must",
    reference: spec("Versioning", "basic/lifecycle", "2026-07-28"),
    eras: stateless,
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
        (supported as string[]).every((version) => known.includes(version));
      return judged(
        [
          ...refused.faults,
          ...faultUnless(listed, "data.supported is not a list of versions"),
          ...faultUnless(isSubset, "data.supported names versions that server/discover does not"),
          ...faultUnless(requested === neverVersion, "data.requested is not the version that was sent"),
        ],
        [unsupportedVersion],
      );
    },
  },
  {
    id: "modern-protocol-version-header-mismatch",
    title: "Refuses a version header that contradicts the envelope",
    description: "Header and envelope that name different versions are answered with 400 and -32020.",
    category: "protocol",
    severity: "must",
    reference: headers,
    eras: stateless,
    transports: overHttp,
    needs: ["versionMismatch"],
    judge: ({ versionMismatch }) => judgeRefusal(versionMismatch, -32020),
  },
  {
    id: "modern-method-header-mismatch",
    title: "Refuses a method header that contradicts the body",
    description: "An Mcp-Method that names another method is answered with 400 and -32020.",
    category: "protocol",
    severity: "must",
    reference: headers,
    eras: stateless,
    transports: overHttp,
    needs: ["methodMismatch"],
    judge: ({ methodMismatch }) => judgeRefusal(methodMismatch, -32020),
  },
  {
    id: "modern-result-type-present",
    title: "Every result says its type",
    description: "Every result carries a resultType.",
    category: "protocol",
    severity: "must",
    reference: spec("Results", "basic#responses", "2026-07-28"),
    eras: stateless,
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

/** Refused by HTTP and by JSON-RPC, which are two facts. Over stdio there is only the second. */
export function judgeRefusal(exchange: Exchange, code: number, status = 400): Verdict {
  const refused = refusedWith(exchange, code, status);
  return "verdict" in refused ? refused.verdict : judged(refused.faults, [exchange]);
}

export function refusedWith(
  exchange: Exchange,
  code: number,
  status = 400,
): { faults: string[] } | { verdict: Verdict } {
  if (isForeign(exchange) && exchange.http?.status !== status) {
    return { verdict: couldNotRun(`Answered with ${describeAnswer(exchange)}, which is no MCP.`) };
  }
  const error = errorOf(exchange);
  return {
    faults: [
      ...faultUnless(
        error?.code === code,
        `answered with ${describeAnswer(exchange)}, not with error ${code}`,
      ),
      ...(exchange.http && exchange.http.status !== status
        ? [`HTTP ${exchange.http.status} instead of ${status}`]
        : []),
    ],
  };
}
