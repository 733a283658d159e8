/** @module What a server's own answers say that its front has to know: the revisions it speaks, the arguments that headers repeat. */
import {
  type Inbound,
  isObject,
  type KnownOfServer,
  type ParamHeader,
  rpcCodes,
  scanParamHeaders,
} from "@fettle/mcp";

export interface Learned extends KnownOfServer {
  /** `isStateless`: what is answered was asked in the era without a handshake. */
  hear(asked: { method: string; isStateless: boolean }, answer: Inbound & { kind: "result" | "error" }): void;
}

/** Of tools with such arguments. */
const mostTools = 1_000;
/** A server that names ever new ones names none. */
const mostVersions = 50;

export function createLearned(): Learned {
  const versions = new Set<string>();
  const agreed = new Set<string>();
  let onlyShakesHands = false;
  const tools = new Map<string, readonly ParamHeader[]>();

  function hearVersion(version: unknown, known: Set<string>): void {
    if (typeof version === "string" && known.size < mostVersions) known.add(version);
  }

  function hearTool(tool: unknown): void {
    if (!isObject(tool) || typeof tool.name !== "string") return;
    const scan = scanParamHeaders(tool.inputSchema);
    const headers = scan.ok ? scan.headers : [];
    if (headers.length === 0) tools.delete(tool.name);
    else if (tools.has(tool.name) || tools.size < mostTools) tools.set(tool.name, headers);
  }

  return {
    get versions() {
      return [...versions];
    },
    get agreed() {
      return [...agreed];
    },
    paramHeadersOf: (tool) => tools.get(tool) ?? [],
    get onlyShakesHands() {
      return onlyShakesHands;
    },
    hear({ method, isStateless }, answer) {
      if (method === "server/discover" && isStateless) {
        onlyShakesHands = answer.kind === "error" && answer.error.code === rpcCodes.methodNotFound;
      }
      if (answer.kind === "error" || !isObject(answer.result)) return;
      const { result } = answer;
      const { supportedVersions, protocolVersion, tools: listed } = result;
      if (method === "server/discover" && Array.isArray(supportedVersions)) {
        for (const version of supportedVersions) hearVersion(version, versions);
      }
      if (method === "initialize") hearVersion(protocolVersion, agreed);
      if (method === "tools/list" && Array.isArray(listed)) listed.forEach(hearTool);
    },
  };
}
