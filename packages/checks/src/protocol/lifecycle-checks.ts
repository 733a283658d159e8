/** @module Checks of the opening and of what every server must answer. */
import { isObject } from "@fettle/mcp";
import { couldNotRun } from "../verdict/check-result.ts";
import { describeAnswer, errorOf, isForeign, resultOf } from "./exchange.ts";
import { type ProtocolCheck, spec, stateful, stateless } from "./protocol-check.ts";
import { faultUnless, judged } from "./verdicts.ts";

export const lifecycleChecks: ProtocolCheck[] = [
  {
    id: "server-initialize",
    title: "Shakes hands",
    description:
      "initialize answers with protocolVersion, capabilities and serverInfo, in a version the client takes.",
    category: "core",
    severity: "must",
    reference: spec("Initialization", "basic/lifecycle#initialization"),
    eras: stateful,
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
        ...faultUnless(isText(info.name), "serverInfo.name is not a text"),
        ...faultUnless(isText(info.version), "serverInfo.version is not a text"),
        ...(client.kind === "failed" && client.failure.code === "VERSION_MISMATCH"
          ? [`asked for ${version}, it answered ${String(protocolVersion)}`]
          : []),
      ];
      return judged(faults, [exchange], { protocolVersion });
    },
  },
  {
    id: "ping",
    title: "Answers ping",
    description: "ping is answered with an empty result.",
    category: "core",
    severity: "must",
    reference: spec("Ping", "basic/utilities/ping"),
    eras: stateful,
    needs: ["ping"],
    judge({ ping }) {
      const result = resultOf(ping);
      const isEmpty = result !== undefined && Object.keys(result).every((key) => key === "_meta");
      return judged(
        faultUnless(isEmpty, result ? "the result is not empty" : `answered with ${describeAnswer(ping)}`),
        [ping],
      );
    },
  },
  {
    id: "modern-client-handshake",
    title: "A current client can use it",
    description: "A client of the revision connects without a handshake and learns what the server can do.",
    category: "core",
    severity: "must",
    reference: spec("Discovery", "server/discover", "2026-07-28"),
    eras: stateless,
    needs: ["client"],
    judge({ client }, { version }) {
      if (client.kind === "failed")
        return judged([client.failure.message], [], { code: client.failure.code });
      const faults = faultUnless(client.version === version, `it speaks ${client.version}, not ${version}`);
      const warnings = client.serverInfo ? [] : ["The server does not say who it is."];
      return judged(faults, [], { capabilities: Object.keys(client.capabilities) }, warnings);
    },
  },
  {
    id: "modern-server-discover",
    title: "Says what it is",
    description:
      "server/discover names the versions and capabilities; an identity, when given, is well formed.",
    category: "protocol",
    severity: "must",
    reference: spec("Discovery", "server/discover", "2026-07-28"),
    eras: stateless,
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
      const warnings = info === undefined ? ["The result does not say who the server is."] : [];
      return judged(faults, [exchange], { supportedVersions }, warnings);
    },
  },
  {
    id: "protocol-invalid-method-error",
    title: "Refuses unknown methods",
    description:
      "A method that does not exist is answered with error -32601; since 2026-07-28 with HTTP 404.",
    category: "protocol",
    severity: "must",
    reference: spec("Messages", "basic#responses"),
    needs: ["unknownMethod"],
    judge({ unknownMethod }, { era }) {
      if (isForeign(unknownMethod)) {
        return couldNotRun(`Answered with ${describeAnswer(unknownMethod)}, which is no MCP.`);
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

export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isVersionList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isText);
}
