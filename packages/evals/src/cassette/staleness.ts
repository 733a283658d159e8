/** @module Whether a recording still holds: by the model, the system text, the settings and the tools that it was made with. Pure. */
import { canonicalJson } from "@fettle/contract/formats";
import { digestOf } from "../digest.ts";
import type { ModelRequest } from "../models/model.ts";
import type { CassetteHeader } from "./cassette-file.ts";
import { toolHashes } from "./cassette-key.ts";

/** Without tools, they are not looked at. */
type SettingsOf = Pick<ModelRequest, "system" | "parameters" | "toolChoice"> &
  Partial<Pick<ModelRequest, "tools">>;

/** What a recording was made with and what is there now; empty when it still holds. Pure. */
export function stalenessOf(
  header: CassetteHeader,
  model: string | undefined,
  request: SettingsOf,
): string[] {
  const reasons: string[] = [];
  if (model !== undefined && model !== header.model) reasons.push(`it was recorded with ${header.model}`);
  if (digestOf(request.system ?? "") !== header.systemHash) reasons.push("the system prompt changed");
  if (canonicalJson(parametersOf(request)) !== canonicalJson(header.parameters)) {
    reasons.push("the model's parameters changed");
  }
  if (request.tools === undefined) return reasons;
  const now = toolHashes(request.tools);
  const then = header.toolsHash.tools;
  const names = [...new Set([...Object.keys(then), ...Object.keys(now)])].toSorted();
  for (const name of names) {
    if (now[name] === then[name]) continue;
    const what = then[name] === undefined ? "is new" : now[name] === undefined ? "is gone" : "changed";
    reasons.push(`the tool ${name} ${what}`);
  }
  return reasons;
}

export function parametersOf({
  parameters,
  toolChoice,
}: Pick<ModelRequest, "parameters" | "toolChoice">): CassetteHeader["parameters"] {
  return { ...parameters, toolChoice };
}
