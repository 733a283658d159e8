/** @module Checks of the names a server makes up: URIs of resources, keys of `_meta`, identifiers of extensions, trace contexts. */
import { isObject, type JsonObject } from "@fettle/mcp";
import { couldNotRun, notApplicable } from "../../verdict/check-result.ts";
import type { Finding } from "../../verdict/rule.ts";
import { from, spec, stateless } from "../../verdict/specification.ts";
import { type Exchange, resultOf, short } from "../conversation/exchange.ts";
import { judged } from "../conversation/verdicts.ts";
import type { ProtocolCheck } from "../protocol-check.ts";

export const identifierChecks: ProtocolCheck[] = [
  {
    id: "resource-uris-valid",
    title: "Names resources by URIs",
    description: "Every URI of a resource that was listed, read, linked or embedded is one by RFC 3986.",
    category: "resources",
    rules: spec("MUST", from("2025-06-18"), "Custom URI schemes", "server/resources#custom-uri-schemes"),
    needs: ["transcript"],
    isLast: true,
    judge({ transcript }) {
      const uris = [...new Set(transcript.flatMap(urisIn))];
      if (uris.length === 0) return notApplicable("No resource was seen.");
      const wrong = uris.filter((uri) => !isUri(uri));
      // The sentence is about schemes of one's own; those that everybody has are only expected to be right.
      const isOwn = (uri: string) => !commonSchemes.test(uri);
      const tell = (uri: string) => `${JSON.stringify(short(uri, 120))} is not a URI`;
      return judged(
        wrong.filter(isOwn).map(tell),
        [],
        { uris: uris.length },
        wrong.filter((uri) => !isOwn(uri)).map((uri): Finding => ({ word: "inferred", message: tell(uri) })),
      );
    },
  },
  {
    id: "meta-keys-valid",
    title: "Keys of _meta are well-formed",
    description:
      "A key of _meta begins and ends with a letter or digit, after an optional prefix of labels and a slash.",
    category: "protocol",
    rules: spec("MUST", from("2025-06-18"), "_meta", "basic#meta"),
    needs: ["transcript"],
    isLast: true,
    judge({ transcript }) {
      const keys = [...new Set(metasIn(transcript).flatMap((meta) => Object.keys(meta)))];
      if (keys.length === 0) return notApplicable("No _meta was seen.");
      const wrong = keys.filter((key) => !isMetaKey(key));
      return judged(
        wrong.map((key) => `${JSON.stringify(short(key, 120))} is not a key for _meta`),
        [],
        { keys: keys.length },
      );
    },
  },
  {
    id: "trace-context-format",
    title: "Trace contexts are well-formed",
    description: "A traceparent in _meta has the form of the W3C Trace Context.",
    category: "protocol",
    rules: spec("MUST", stateless, "_meta", "basic#meta"),
    needs: ["transcript"],
    isLast: true,
    judge({ transcript }) {
      const values = metasIn(transcript).flatMap((meta) => ("traceparent" in meta ? [meta.traceparent] : []));
      if (values.length === 0) return notApplicable("No trace context was seen.");
      const wrong = values.filter((value) => typeof value !== "string" || !traceparent.test(value));
      return judged(wrong.map((value) => `${short(JSON.stringify(value), 120)} is not a traceparent`));
    },
  },
  {
    id: "extension-ids-valid",
    title: "Identifiers of extensions are well-formed",
    description: "Every extension in the capabilities is named like a key of _meta, with a prefix.",
    category: "protocol",
    rules: spec("MUST", stateless, "Extension negotiation", "basic/versioning#extension-negotiation"),
    needs: ["opening"],
    judge({ opening: { exchange, result } }) {
      if (!isObject(result?.capabilities)) return couldNotRun("The server names no capabilities.");
      const { extensions } = result.capabilities;
      const ids = Object.keys(isObject(extensions) ? extensions : {});
      if (ids.length === 0) return notApplicable("The server names no extensions.");
      const wrong = ids.filter((id) => !id.includes("/") || !isMetaKey(id));
      return judged(
        wrong.map((id) => `${JSON.stringify(short(id, 120))} is not an identifier of an extension`),
        [exchange],
      );
    },
  },
];

const commonSchemes = /^(https?|file|git|data):/i;
/** A scheme, then only what RFC 3986 allows in a URI; brackets are left to those who write addresses. */
const uriForm = /^[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9._~:/?#[\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*$/;

function isUri(text: string): boolean {
  return uriForm.test(text);
}

const metaPrefix = /^[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*$/;

/** What stands between the first and the last letter of a name is only said to be allowed, so nothing there is held against it. */
function isMetaKey(key: string): boolean {
  const slash = key.indexOf("/");
  const name = key.slice(slash + 1);
  if (slash >= 0 && !metaPrefix.test(key.slice(0, slash))) return false;
  return name === "" || (/^[A-Za-z0-9]/.test(name) && /[A-Za-z0-9]$/.test(name));
}

const traceparent = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;

function urisIn(exchange: Exchange): string[] {
  const { resources, contents, content, messages } = resultOf(exchange) ?? {};
  const blocks = [...objects(content), ...objects(messages).flatMap((message) => objects([message.content]))];
  const linked = blocks.filter(({ type }) => type === "resource_link");
  const embedded = blocks.flatMap(({ type, resource }) => (type === "resource" ? objects([resource]) : []));
  return [...objects(resources), ...objects(contents), ...linked, ...embedded].flatMap(({ uri }) =>
    typeof uri === "string" ? [uri] : [],
  );
}

function objects(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** What lies in these is the server's own matter, whatever its members are called. */
const opaque = new Set([
  "arguments",
  "data",
  "inputSchema",
  "outputSchema",
  "requestedSchema",
  "structuredContent",
]);
const deepest = 12;

function metasIn(transcript: readonly Exchange[]): JsonObject[] {
  const found: JsonObject[] = [];
  const look = (value: unknown, depth: number): void => {
    if (depth > deepest) return;
    if (Array.isArray(value)) for (const item of value) look(item, depth + 1);
    if (!isObject(value)) return;
    for (const [name, inner] of Object.entries(value)) {
      if (name === "_meta") {
        if (isObject(inner)) found.push(inner);
      } else if (!opaque.has(name) && typeof inner === "object") look(inner, depth + 1);
    }
  };
  for (const { heard } of transcript)
    for (const said of heard) if (said.kind !== "malformed") look(said.message, 0);
  return found;
}
