/** @module Is this a tool result as the protocol defines it? Every fault with its place. Pure. */
import { isObject, type JsonObject, wireProblem } from "@fettle/mcp";

export interface ResultFault {
  /** JSON Pointer into the result. */
  path: string;
  reason: string;
}

/** A fault as every command says it, among others. */
export function resultReason({ path, reason }: ResultFault): string {
  return path === "/content" && reason === missing
    ? wireProblem("RESULT_WITHOUT_CONTENT").message.replace(/\.$/, "")
    : `${path || "result"}: ${reason}`;
}

const missing = "is missing";

export function toolResultFaults(result: unknown): ResultFault[] {
  if (!isObject(result)) return [{ path: "", reason: "the result is not an object" }];
  const faults: ResultFault[] = [];
  if (result.isError !== undefined && typeof result.isError !== "boolean") {
    faults.push({ path: "/isError", reason: "is not a boolean" });
  }
  if (result._meta !== undefined && !isObject(result._meta))
    faults.push({ path: "/_meta", reason: "is not an object" });
  if (result.content === undefined) {
    const isFinal = result.resultType === undefined || result.resultType === "complete";
    return isFinal && !isObject(result.task) ? [...faults, { path: "/content", reason: missing }] : faults;
  }
  if (!Array.isArray(result.content)) return [...faults, { path: "/content", reason: "is not an array" }];
  return [...faults, ...result.content.flatMap((block, index) => blockFaults(block, `/content/${index}`))];
}

/** The texts each kind of block must hold. */
const texts: Record<string, readonly string[]> = {
  text: ["text"],
  image: ["data", "mimeType"],
  audio: ["data", "mimeType"],
  resource_link: ["uri", "name"],
};

function blockFaults(block: unknown, path: string): ResultFault[] {
  if (!isObject(block)) return [{ path, reason: "is not an object" }];
  if (block.type === "resource") return embeddedFaults(block.resource, `${path}/resource`);
  const needed = texts[String(block.type)];
  if (!needed) return [{ path: `${path}/type`, reason: `"${String(block.type)}" is not a content type` }];
  return needed.flatMap((key) =>
    typeof block[key] === "string"
      ? []
      : [{ path: `${path}/${key}`, reason: block[key] === undefined ? missing : "is not a string" }],
  );
}

function embeddedFaults(resource: unknown, path: string): ResultFault[] {
  if (!isObject(resource)) return [{ path, reason: "is not an object" }];
  const faults: ResultFault[] = [];
  if (typeof resource.uri !== "string") faults.push({ path: `${path}/uri`, reason: "is not a string" });
  if (resource.mimeType !== undefined && typeof resource.mimeType !== "string") {
    faults.push({ path: `${path}/mimeType`, reason: "is not a string" });
  }
  if (!hasContent(resource)) faults.push({ path, reason: "has neither text nor blob" });
  return faults;
}

function hasContent({ text, blob, _meta }: JsonObject): boolean {
  return typeof text === "string" || typeof blob === "string" || isObject(_meta);
}
