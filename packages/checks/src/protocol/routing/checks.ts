/** @module Checks of the routing headers: they repeat what the body says, and a server that trusts them must hold the two against each other. */
import { isObject, scanParamHeaders } from "@fettle/mcp";
import { couldNotRun, notApplicable, type Verdict } from "../../verdict/check-result.ts";
import { spec, stateless } from "../../verdict/specification.ts";
import type { Attempt } from "../conversation/exchange.ts";
import { describeAnswer, type Exchange, errorOf, resultOf } from "../conversation/exchange.ts";
import { judgeRefusal, refusedWith } from "../conversation/refusals.ts";
import { faultUnless, judged, judgedServed } from "../conversation/verdicts.ts";
import { overHttp, type ProtocolCheck } from "../protocol-check.ts";
import type { ProtocolSeen } from "../seen.ts";
import type { RoutingSeen } from "./observe.ts";

const page = "basic/transports/streamable-http";
const validation = spec("MUST", stateless, "Server validation", `${page}#server-validation`);
const standardHeaders = spec(
  "MUST",
  stateless,
  "Standard request headers",
  `${page}#standard-request-headers`,
);
const caseSensitivity = spec("MUST", stateless, "Case sensitivity", `${page}#case-sensitivity`);
const headerMismatch = -32020;

/** What all of these have in common. */
const routing = { category: "protocol", transports: overHttp } as const;

type AskedName = {
  [Name in keyof RoutingSeen]: RoutingSeen[Name] extends Exchange | Attempt ? Name : never;
}[keyof RoutingSeen];

function refused(
  id: string,
  title: string,
  what: string,
  seen: AskedName,
  rules: ProtocolCheck["rules"],
): ProtocolCheck {
  return {
    ...routing,
    id,
    rules,
    title,
    description: `${what} is answered with 400 and ${headerMismatch}.`,
    needs: [seen],
    judge(all: ProtocolSeen) {
      const asked = all[seen];
      const judge = (exchange: Exchange) => judgeRefusal(exchange, headerMismatch);
      return "kind" in asked ? judgeAttempt(asked, judge) : judge(asked);
    },
  };
}

export const routingChecks: ProtocolCheck[] = [
  refused(
    "modern-protocol-version-header-mismatch",
    "Refuses a version header that contradicts the envelope",
    "Header and envelope that name different versions",
    "versionMismatch",
    validation,
  ),
  refused(
    "modern-method-header-mismatch",
    "Refuses a method header that contradicts the body",
    "An Mcp-Method that names another method",
    "methodMismatch",
    validation,
  ),
  refused(
    "modern-missing-method-header-rejected",
    "Refuses a request without a method header",
    "A request without Mcp-Method",
    "methodMissing",
    standardHeaders,
  ),
  refused(
    "modern-method-header-case-mismatch",
    "Compares methods letter by letter",
    "An Mcp-Method in capitals",
    "methodInCapitals",
    caseSensitivity,
  ),
  refused(
    "modern-name-header-mismatch",
    "Refuses a name header that contradicts the body",
    "An Mcp-Name that names something else",
    "nameMismatch",
    validation,
  ),
  refused(
    "modern-missing-name-header-rejected",
    "Refuses a request for something named without a name header",
    "A request for a named thing without Mcp-Name",
    "nameMissing",
    standardHeaders,
  ),
  {
    ...routing,
    id: "modern-header-names-case-insensitive",
    title: "Reads header names in any case",
    description: "Header names in lower, upper and alternating case are all understood.",
    rules: [
      ...spec("MUST", stateless, "Case sensitivity", "basic/transports/streamable-http#case-sensitivity"),
    ],
    needs: ["headerNames"],
    judge: ({ headerNames }) =>
      judged(
        headerNames
          .filter((exchange) => resultOf(exchange) === undefined)
          .map(
            (exchange) => `${Object.keys(exchange.headers ?? {}).join(", ")}: ${describeAnswer(exchange)}`,
          ),
        headerNames.slice(0, 1),
      ),
  },
  {
    ...routing,
    id: "modern-header-value-whitespace",
    title: "Takes no notice of blanks around a header's value",
    description: "Blanks around Mcp-Name are stripped, as HTTP says.",
    rules: [
      {
        word: "MUST",
        title: "RFC 9110, section 5.5",
        url: "https://www.rfc-editor.org/rfc/rfc9110#section-5.5",
        revision: "RFC 9110",
        binds: stateless,
      },
    ],
    needs: ["nameWithBlanks"],
    judge: ({ nameWithBlanks }) =>
      judgeAttempt(nameWithBlanks, (exchange) =>
        judgedServed(
          faultUnless(resultOf(exchange) !== undefined, `answered with ${describeAnswer(exchange)}`),
          [exchange],
        ),
      ),
  },
  {
    ...routing,
    id: "modern-name-header-base64",
    title: "Decodes names before it compares them",
    description:
      "An Mcp-Name in base64 is served when it is the right one, and answered with 400 and -32020 when not.",
    rules: [...spec("MUST", stateless, "Value encoding", `${page}#value-encoding`)],
    needs: ["nameEncoded", "nameEncodedWrong"],
    judge: ({ nameEncoded, nameEncodedWrong }) =>
      judgeAttempt(nameEncoded, (right) =>
        judgeAttempt(nameEncodedWrong, (wrong) => {
          const other = refusedWith(wrong, headerMismatch);
          if ("verdict" in other) return other.verdict;
          return judged(
            [
              ...faultUnless(
                errorOf(right)?.code !== headerMismatch,
                `the right name was answered with ${describeAnswer(right)}`,
              ),
              ...other.faults.map((fault) => `another name: ${fault}`),
            ],
            [right, wrong],
          );
        }),
      ),
  },
  {
    ...routing,
    id: "modern-param-header-base64",
    title: "Holds mirrored parameters against their headers",
    description:
      "A mirrored parameter is taken plain or in base64; a header that is missing, different or badly encoded is answered with 400 and -32020.",
    rules: [
      ...spec(
        "MUST",
        stateless,
        "Server behavior for custom headers",
        "basic/transports/streamable-http#server-behavior-for-custom-headers",
      ),
    ],
    needs: ["paramHeaders"],
    judge({ paramHeaders }) {
      if (!paramHeaders) return notApplicable("No tool that may be called mirrors a text into a header.");
      const { accepted, refused: mustRefuse, tool } = paramHeaders;
      const wronglyRefused = accepted.filter(({ exchange }) => resultOf(exchange) === undefined);
      const wronglyTaken = mustRefuse.flatMap(({ form, exchange }) => {
        const refusal = refusedWith(exchange, headerMismatch);
        const faults = "faults" in refusal ? refusal.faults : [];
        return faults.length > 0 ? [{ form, exchange, faults }] : [];
      });
      return judged(
        [
          ...wronglyRefused.map(({ form, exchange }) => `${form}: ${describeAnswer(exchange)}`),
          ...wronglyTaken.map(({ form, faults }) => `${form}: ${faults.join(", ")}`),
        ],
        [...wronglyRefused, ...wronglyTaken].map(({ exchange }) => exchange),
        { tool },
      );
    },
  },
  {
    id: "tools-x-mcp-header-declarations-valid",
    title: "Declares mirrored parameters properly",
    description:
      "Every x-mcp-header names a header, once per tool, on a text, whole number or boolean that is reached through properties alone.",
    category: "tools",
    rules: [...spec("MUST", stateless, "x-mcp-header", "server/tools#x-mcp-header")],
    needs: ["tools"],
    judge({ tools }) {
      const faults = tools.items.flatMap((tool) => {
        const scan = scanParamHeaders(isObject(tool) ? tool.inputSchema : undefined);
        return scan.ok ? [] : [`${isObject(tool) ? String(tool.name) : "a tool"}: ${scan.reason}`];
      });
      if (faults.length === 0 && !tools.isComplete && tools.isAdvertised) {
        return couldNotRun("The list of tools could not be walked to its end.");
      }
      return judged(faults, faults.length > 0 ? tools.pages.slice(0, 1) : []);
    },
  },
];

export function judgeAttempt(attempt: Attempt, judge: (exchange: Exchange) => Verdict): Verdict {
  return attempt.kind === "done" ? judge(attempt.exchange) : notApplicable(attempt.why);
}
