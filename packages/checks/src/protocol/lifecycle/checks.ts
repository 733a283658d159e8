/** @module Checks of the opening and of what every server must answer. */
import { type EraKind, isObject, type JsonObject, rpcCodes, wireProblem } from "@fettle/mcp";
import { couldNotRun, notApplicable } from "../../verdict/check-result.ts";
import { findingUnless } from "../../verdict/rule.ts";
import { everyRevision, spec, stateful, statefulHttp, stateless } from "../../verdict/specification.ts";
import { judgeCall } from "../calls/checks.ts";
import {
  describeAnswer,
  type Exchange,
  errorOf,
  isForeign,
  isTrouble,
  notificationsOf,
  resultOf,
} from "../conversation/exchange.ts";
import type { Opening } from "../conversation/talk.ts";
import {
  faultUnless,
  isText,
  judged,
  judgedServed,
  judgedUnknown,
  judgeEmpty,
} from "../conversation/verdicts.ts";
import type { SeenList } from "../lists/observe.ts";
import type { ProtocolCheck } from "../protocol-check.ts";
import { reasonOf } from "../wire/checks.ts";

export const lifecycleChecks: ProtocolCheck[] = [
  {
    id: "server-initialize",
    title: "Shakes hands",
    description:
      "initialize answers with protocolVersion, capabilities and serverInfo, in a version the client takes.",
    category: "core",
    rules: [...spec("MUST", stateful, "Initialization", "basic/lifecycle#initialization")],
    needs: ["opening", "client"],
    judge({ opening: { exchange, result }, client }, { version }) {
      if (!result) {
        return isForeign(exchange)
          ? couldNotRun(`initialize was answered with ${describeAnswer(exchange)}.`)
          : judged([`initialize was answered with ${describeAnswer(exchange)}`], [exchange]);
      }
      const { protocolVersion, capabilities, serverInfo } = result;
      const info = isObject(serverInfo) ? serverInfo : {};
      const faults = [
        ...faultUnless(typeof protocolVersion === "string", "protocolVersion is not a string"),
        ...faultUnless(isObject(capabilities), "capabilities is not an object"),
        ...faultUnless(isObject(serverInfo), "serverInfo is not an object"),
        ...faultUnless(typeof info.name === "string", "serverInfo.name is not a text"),
        ...faultUnless(typeof info.version === "string", "serverInfo.version is not a text"),
      ];
      const isOther = client.kind === "failed" && client.failure.code === "VERSION_MISMATCH";
      if (faults.length === 0 && isOther) {
        // As it must, where it does not support the one that was asked for.
        return couldNotRun(`Asked for ${version}, it offers ${String(protocolVersion)}.`, {
          protocolVersion,
        });
      }
      const isNameless = info.name === "" || info.version === "";
      const warnings = findingUnless(!isNameless, "inferred", "serverInfo has an empty name or version");
      return judged(faults, [exchange], { protocolVersion }, warnings);
    },
  },
  {
    id: "ping",
    title: "Answers ping",
    description: "ping is answered with an empty result.",
    category: "core",
    rules: [...spec("MUST", stateful, "Ping", "basic/utilities/ping#behavior-requirements")],
    needs: ["ping"],
    judge: ({ ping }) => judgeEmpty(ping),
  },
  {
    id: "logging-set-level",
    title: "Takes a log level",
    description: "logging/setLevel is answered with an empty result by a server that offers logging.",
    category: "core",
    rules: [...spec("schema", stateful, "Setting log level", "server/utilities/logging#setting-log-level")],
    needs: ["setLevel"],
    judge({ setLevel }, { officialFixtures }) {
      if (!setLevel) return notApplicable("The server does not offer logging.");
      // An error is an answer that the schema allows, and no sentence demands another.
      if (officialFixtures || !errorOf(setLevel)) return judgeEmpty(setLevel);
      return isUnknownMethod(setLevel)
        ? notApplicable(levelNotTaken)
        : couldNotRun(`logging/setLevel was answered with ${describeAnswer(setLevel)}.`);
    },
  },
  {
    id: "logging-invalid-level",
    title: "Refuses unknown log levels",
    description: "A log level that does not exist should be refused with -32602.",
    category: "core",
    rules: [...spec("SHOULD", stateful, "Error handling", "server/utilities/logging#error-handling")],
    needs: ["setUnknownLevel"],
    judge({ setUnknownLevel }) {
      if (!setUnknownLevel) return notApplicable("The server does not offer logging.");
      if (isUnknownMethod(setUnknownLevel)) return notApplicable(levelNotTaken);
      const fault = `an unknown level was answered with ${describeAnswer(setUnknownLevel)}, not with -32602`;
      return judged(faultUnless(errorOf(setUnknownLevel)?.code === -32602, fault), [setUnknownLevel]);
    },
  },
  {
    id: "tool-logging-notifications",
    title: "Sends log messages",
    description:
      "A tool that logs three times sends at least three log messages to a client that asked for them.",
    category: "core",
    rules: [
      ...spec(
        "contract",
        stateful,
        "Log message notifications",
        "server/utilities/logging#log-message-notifications",
      ),
    ],
    needs: ["opening", "loggingCall"],
    judge({ opening, loggingCall }, facts) {
      if (!offers(opening, "logging")) return notApplicable("The server does not offer logging.");
      return judgeCall(loggingCall, facts, (exchange) => {
        const logs = notificationsOf(exchange, "notifications/message");
        return faultUnless(logs.length >= 3, `${logs.length} log messages came instead of three`);
      });
    },
  },
  {
    id: "completion-complete",
    title: "Completes arguments",
    description:
      "completion/complete is answered with at most 100 values by a server that offers completions.",
    category: "core",
    rules: [
      ...spec(
        "schema",
        everyRevision,
        "Completion results",
        "server/utilities/completion#completion-results",
      ),
    ],
    needs: ["opening", "completion"],
    judge({ opening, completion }, facts) {
      if (!offers(opening, "completions")) return notApplicable("The server does not offer completions.");
      if (completion.kind === "no-subject") return notApplicable(completion.why);
      const { exchange } = completion;
      const unknown = judgedUnknown(exchange, "completions", facts);
      if (unknown) return unknown;
      const result = resultOf(exchange);
      if (!result) return judgedServed([`answered with ${describeAnswer(exchange)}`], [exchange]);
      const { values } = isObject(result.completion) ? result.completion : {};
      const isList = Array.isArray(values) && values.every((value) => typeof value === "string");
      return judged(
        [
          ...faultUnless(isList, "completion.values is not a list of texts"),
          ...faultUnless(!isList || values.length <= 100, "completion.values has more than 100 entries"),
        ],
        [exchange],
      );
    },
  },
  {
    id: "capabilities-consistent",
    title: "Offers what it says, and nothing else",
    description: "Every advertised family can be listed, and a family that is not advertised lists nothing.",
    category: "core",
    rules: [...spec("MUST", everyRevision, "Capabilities", "server/tools#capabilities")],
    needs: ["tools", "resources", "prompts", "setLevel"],
    judge({ tools, resources, prompts, setLevel }, { era }) {
      const lists = [tools, resources, prompts];
      const unserved = [
        ...lists.flatMap(unservedFaults),
        ...(setLevel && isUnknownMethod(setLevel) ? [reasonOf({ message: levelNotTaken })] : []),
      ];
      // That what is declared must be served is said from 2026-07-28 on.
      const isBinding = era === "stateless";
      return judgedServed(
        [...(isBinding ? unserved : []), ...lists.flatMap((list) => undeclaredFaults(list, era))],
        lists.flatMap(({ pages }) => pages.slice(0, 1)),
        {},
        isBinding ? [] : unserved.map((message) => ({ word: "inferred" as const, message })),
      );
    },
  },
  {
    id: "modern-client-handshake",
    title: "A current client can use it",
    description: "A client of the revision connects without a handshake and learns what the server can do.",
    category: "core",
    rules: [
      ...spec(
        "MUST",
        stateless,
        "Protocol version negotiation",
        "basic/versioning#protocol-version-negotiation",
      ),
    ],
    needs: ["client"],
    judge({ client }, { version }) {
      if (client.kind === "failed")
        return judged([client.failure.message], [], { code: client.failure.code });
      const faults = faultUnless(client.version === version, `it speaks ${client.version}, not ${version}`);
      const warnings = findingUnless(
        client.serverInfo !== undefined,
        "SHOULD",
        "The server does not say who it is.",
      );
      return judged(faults, [], { capabilities: Object.keys(client.capabilities) }, warnings);
    },
  },
  {
    id: "modern-server-discover",
    title: "Says what it is",
    description:
      "server/discover names the versions and capabilities; an identity, when given, is well formed.",
    category: "protocol",
    rules: [...spec("MUST", stateless, "Discovery", "server/discover")],
    needs: ["opening"],
    judge({ opening: { exchange, result } }) {
      if (!result) {
        return isForeign(exchange)
          ? couldNotRun(`server/discover was answered with ${describeAnswer(exchange)}.`)
          : judged([`server/discover was answered with ${describeAnswer(exchange)}`], [exchange]);
      }
      const { supportedVersions, capabilities, _meta } = result;
      const info = isObject(_meta) ? _meta["io.modelcontextprotocol/serverInfo"] : undefined;
      const isNamed = isObject(info) && isText(info.name) && isText(info.version);
      const faults = [
        ...(exchange.http && exchange.http.status !== 200
          ? [`HTTP ${exchange.http.status} instead of 200`]
          : []),
        ...faultUnless(isVersionList(supportedVersions), "supportedVersions is not a list of versions"),
        ...faultUnless(isObject(capabilities), "capabilities is not an object"),
        ...faultUnless(info === undefined || isNamed, "serverInfo lacks a name or a version"),
      ];
      const warnings = findingUnless(
        info !== undefined,
        "SHOULD",
        "The result does not say who the server is.",
      );
      return judged(faults, [exchange], { supportedVersions }, warnings);
    },
  },
  {
    id: "modern-logs-require-log-level",
    title: "Logs only when asked to",
    description: "A request that names no log level brings no log messages.",
    category: "core",
    rules: [
      ...spec("MUST", stateless, "Per-request log level", "server/utilities/logging#per-request-log-level"),
    ],
    needs: ["transcript", "logProbe"],
    isLast: true,
    judge({ transcript, logProbe }) {
      const silent = transcript.filter(({ params }) => !asksForLogs(params));
      const loud = silent.filter((exchange) => notificationsOf(exchange, "notifications/message").length > 0);
      const methods = [...new Set(loud.map(({ method }) => method))];
      const came = logProbe && notificationsOf(logProbe.loud, "notifications/message").length;
      return judged(
        methods.map((method) => `${method} brought log messages that nobody asked for`),
        loud.slice(0, 1),
        {
          requestsWithoutLevel: silent.length,
          evidenceIs: came
            ? "strong: the same call logs when asked to"
            : "weak: no tool that logs may be called",
        },
      );
    },
  },
  {
    id: "protocol-invalid-method-error",
    title: "Refuses unknown methods",
    description:
      "A method that does not exist is answered with error -32601; since 2026-07-28 with HTTP 404.",
    category: "protocol",
    rules: [
      ...spec("MUST", ["2024-11-05"], "Messages", "basic/messages"),
      ...spec("MUST", statefulHttp, "Messages", "basic#messages"),
      ...spec(
        "MUST",
        stateless,
        "Protocol version header",
        "basic/transports/streamable-http#protocol-version-header",
      ),
    ],
    needs: ["unknownMethod", "tools"],
    judge({ unknownMethod, tools }, { era }) {
      if (isForeign(unknownMethod)) {
        return couldNotRun(`Answered with ${describeAnswer(unknownMethod)}, which is no MCP.`);
      }
      // One that says so of what it offers says nothing of unknown methods.
      if (isTrouble(unknownMethod) && tools.pages.some(isTrouble)) {
        return couldNotRun(`Answered with ${describeAnswer(unknownMethod)}, as ${tools.method} was.`);
      }
      const error = errorOf(unknownMethod);
      const status = unknownMethod.http?.status;
      return judged(
        [
          ...faultUnless(
            error?.code === -32601,
            `answered with ${describeAnswer(unknownMethod)}, not -32601`,
          ),
          ...(era === "stateless" && status !== undefined && status !== 404
            ? [`HTTP ${status} instead of 404`]
            : []),
        ],
        [unknownMethod],
      );
    },
  },
];

function isVersionList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isText);
}

function offers({ result }: Opening, capability: string): boolean {
  return isObject(result?.capabilities) && capability in result.capabilities;
}

function unservedFaults({ method, member, isAdvertised, pages }: SeenList): string[] {
  const [first] = pages;
  if (!first || !isAdvertised || isForeign(first) || !errorOf(first)) return [];
  if (isUnknownMethod(first)) return [reasonOf(wireProblem("CAPABILITY_NOT_SERVED", member, method))];
  return [`${member} is advertised, but ${method} is answered with ${describeAnswer(first)}`];
}

const levelNotTaken = wireProblem("CAPABILITY_NOT_SERVED", "logging", "logging/setLevel").message;

function isUnknownMethod(exchange: Exchange): boolean {
  return errorOf(exchange)?.code === rpcCodes.methodNotFound;
}

function undeclaredFaults({ method, member, isAdvertised, pages, items }: SeenList, era: EraKind): string[] {
  const [first] = pages;
  if (!first || isAdvertised || isForeign(first)) return [];
  const error = errorOf(first);
  if (items.length > 0) return [`${member} is not advertised, but ${method} lists ${items.length}`];
  return era === "stateless" && error?.code !== -32601
    ? [`${member} is not advertised, but ${method} is answered with ${describeAnswer(first)}, not -32601`]
    : [];
}

function asksForLogs(params: JsonObject | undefined): boolean {
  return isObject(params?._meta) && "io.modelcontextprotocol/logLevel" in params._meta;
}
