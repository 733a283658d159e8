/** @module Faults in how routing headers are held against the body: a server that does not look at one of them. */
import type { JsonObject } from "@fettle/mcp";
import type { ProxiedRequest } from "./faulty-proxy.ts";
import { inResultOf, type Mutation, metaOf, refusing } from "./mutation.ts";

const revision = "2026-07-28";
const right = (request: ProxiedRequest) => String(request.body?.method);
const params = (request: ProxiedRequest) => (request.body?.params ?? {}) as JsonObject;
const nameOf = (request: ProxiedRequest) => String(params(request).uri ?? params(request).name);
const isRead = ({ body }: ProxiedRequest) => body?.method === "resources/read";

function mirrorTool(request: ProxiedRequest): JsonObject | undefined {
  return params(request).name === "test_x_mcp_header" ? (params(request).arguments as JsonObject) : undefined;
}

export const routingMutations: Mutation[] = [
  {
    name: "the version header is not looked at",
    revision,
    request: (request) => {
      const said = metaOf(request)?.["io.modelcontextprotocol/protocolVersion"];
      if (typeof said === "string") request.headers["mcp-protocol-version"] = said;
    },
    fails: ["modern-protocol-version-header-mismatch"],
  },
  {
    name: "a method header that names another method is not looked at",
    revision,
    request: (request) => {
      if (request.headers["mcp-method"] === "tools/list") request.headers["mcp-method"] = right(request);
    },
    fails: ["modern-method-header-mismatch"],
  },
  {
    name: "a missing method header is made up for",
    revision,
    request: (request) => {
      request.headers["mcp-method"] ??= right(request);
    },
    fails: ["modern-missing-method-header-rejected"],
  },
  {
    name: "methods are compared without regard to case",
    revision,
    request: ({ headers }) => {
      if (headers["mcp-method"])
        headers["mcp-method"] = String(headers["mcp-method"]).replace("SERVER/DISCOVER", "server/discover");
    },
    fails: ["modern-method-header-case-mismatch"],
  },
  {
    name: "a name header that names something else is not looked at",
    revision,
    request: (request) => {
      if (isRead(request) && String(request.headers["mcp-name"]).endsWith("-fettle")) {
        request.headers["mcp-name"] = nameOf(request);
      }
    },
    fails: ["modern-name-header-mismatch"],
  },
  {
    name: "a missing name header is made up for",
    revision,
    request: (request) => {
      if (isRead(request)) request.headers["mcp-name"] ??= nameOf(request);
    },
    fails: ["modern-missing-name-header-rejected"],
  },
  {
    name: "a header mismatch is refused with a code of one's own",
    revision,
    message: (message) => {
      const error = message.error as JsonObject | undefined;
      if (error?.code === -32020) error.code = -32001;
      return message;
    },
    fails: [
      "modern-protocol-version-header-mismatch",
      "modern-method-header-mismatch",
      "modern-missing-method-header-rejected",
      "modern-method-header-case-mismatch",
      "modern-name-header-base64",
      "modern-name-header-mismatch",
      "modern-missing-name-header-rejected",
      "modern-param-header-base64",
    ],
  },
  {
    name: "header names are read in one case only",
    revision,
    answer: refusing((request) => request.rawHeaders.includes("MCP-METHOD"), -32020, 400),
    fails: ["modern-header-names-case-insensitive"],
  },
  {
    name: "blanks around a name count",
    revision,
    answer: refusing((request) => isRead(request) && request.hasBlankName, -32020, 400),
    fails: ["modern-header-value-whitespace"],
  },
  {
    name: "mirrored parameters are not looked at",
    revision,
    request: (request) => {
      const args = mirrorTool(request);
      if (args?.region !== undefined) request.headers["mcp-param-region"] = String(args.region);
    },
    fails: ["modern-param-header-base64"],
  },
  {
    name: "a mirrored parameter in base64 is not decoded",
    revision,
    answer: refusing(
      (request) => {
        const header = request.headers["mcp-param-region"];
        return mirrorTool(request) !== undefined && /^=\?base64\?.*\?=$/.test(String(header));
      },
      -32020,
      400,
    ),
    fails: ["modern-param-header-base64"],
  },
  {
    name: "a parameter is mirrored under a name that is none",
    revision,
    message: inResultOf("tools/list", (result) => {
      const [first] = result.tools as JsonObject[];
      if (first) {
        first.inputSchema = {
          type: "object",
          properties: { a: { type: "string", "x-mcp-header": "Two Words" } },
        };
      }
    }),
    fails: ["tools-x-mcp-header-declarations-valid"],
  },
];
