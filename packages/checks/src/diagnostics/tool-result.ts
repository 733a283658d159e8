/** @module Is this a tool result as the protocol defines it? Every fault with its place. Pure. */
import { isObject, type JsonObject, type WireProblem, wireProblem } from "@fettle/mcp";

export interface ResultFault {
  /** JSON Pointer into the result. */
  path: string;
  reason: string;
  /** Where it is a fault of the wire. */
  problem?: WireProblem;
}

/** A fault as every command says it, among others. */
export function resultReason({ path, reason, problem }: ResultFault): string {
  return problem?.message.replace(/\.$/, "") ?? `${path || "result"}: ${reason}`;
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
    const fault = { path: "/content", reason: missing, problem: wireProblem("RESULT_WITHOUT_CONTENT") };
    return isFinal && !isObject(result.task) ? [...faults, fault] : faults;
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
  return needed.flatMap((key) => {
    const at = `${path}/${key}`;
    if (block[key] === undefined) return [{ path: at, reason: missing, ...typeless(block.type, key) }];
    return typeof block[key] === "string" ? [] : [{ path: at, reason: "is not a string" }];
  });
}

function typeless(kind: unknown, key: string): Pick<ResultFault, "problem"> {
  const isIt = key === "mimeType" && (kind === "image" || kind === "audio");
  return isIt ? { problem: wireProblem("CONTENT_WITHOUT_TYPE", kind) } : {};
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
