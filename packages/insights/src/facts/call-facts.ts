/** @module Each call of a conversation, without what was sent and what came back: whether it fitted, how it failed, what it took. Pure. */

import { must } from "@fettle/contract/formats";
import { shortDigestOf } from "../digest.ts";
import { errorClassOf } from "../errors/error-class.ts";
import { templateOf } from "../errors/template.ts";
import type { Unit, UnitCall } from "../observed/unit.ts";
import { excerptOf, longestName, type Scrub, scrubbed } from "../text/scrub.ts";
import { type Reading, textsOf } from "./reading.ts";
import { judged, outputOf } from "./results.ts";
import type { CallFacts } from "./unit-facts.ts";

/** Of each text in which something may have been named before. */
const mostHeard = 20_000;
/** Longer errors are cut before anything is looked for in them. */
const longestError = 4_000;

export function callFacts(
  unit: Unit,
  [index, call]: [number, UnitCall],
  reading: Reading,
  hide: Scrub,
): CallFacts {
  const { serverId, toolName, turn, end } = call;
  const tool = reading.surface.find(serverId, toolName, unit.snapshots[serverId ?? ""]);
  const issues = tool && end !== "unsent" ? judged(tool.inputSchema, call.arguments, reading) : undefined;
  const said = end === "error" ? errorOf(call, reading, hide) : undefined;
  return {
    index,
    turn,
    serverId,
    toolName: tool ? toolName : excerptOf(toolName, longestName, hide),
    isKnown: tool !== undefined || isUntold(serverId, reading),
    argsDigest: shortDigestOf(call.arguments),
    argsValid: issues ? issues.length === 0 : null,
    issues: issues ?? [],
    end,
    errorClass: said?.errorClass ?? null,
    errorCode: call.error?.code === undefined ? null : String(call.error.code),
    template: said?.template ?? null,
    isInvented: said?.errorClass === "not_found" && isInvented(unit, call, index),
    isRetriedOrLeft: end === "error" && isRetriedOrLeft(unit, call, index),
    durationMs: call.durationMs === null ? null : Math.round(call.durationMs),
    resultBytes: call.resultBytes,
    ...outputOf(call, tool, reading),
    isPinned: call.isPinned === true,
  };
}

/** What the facts were read from. */
export const callOf = ({ calls }: Unit, { index }: CallFacts): UnitCall =>
  must(calls[index], "the call that the facts are of");

/** Nobody pinned what this server had, so nobody can say that it had it not. */
const isUntold = (serverId: string | null, { surface }: Reading) =>
  serverId !== null && surface.snapshotsOf(serverId).length === 0;

function errorOf({ error, serverId, result }: UnitCall, { surface }: Reading, hide: Scrub) {
  const text = scrubbed((error?.text ?? textsOf(result).join(" ")).slice(0, longestError), hide);
  const template = templateOf(text, surface.vocabulary(serverId));
  return { template, errorClass: errorClassOf({ text, template, code: error?.code }) };
}

/** What a person reads of an error, still with its numbers and names. */
export const errorTextOf = ({ error, result }: UnitCall) => error?.text ?? textsOf(result).join(" ");

export const isIdName = (name: string) =>
  /(?:^|_)ids?$|Ids?$|^(?:key|slug|uuid|number|name|path|code)$/.test(name);

/** Nobody had named it: no user, and no result before. */
function isInvented(unit: Unit, call: UnitCall, index: number): boolean {
  const given = Object.entries(call.arguments).filter(
    ([, value]) => typeof value === "string" || typeof value === "number",
  );
  const named = given.filter(([name]) => isIdName(name));
  const values = (named.length > 0 ? named : given).map(([, value]) => String(value).toLowerCase());
  if (values.length === 0) return false;
  const heard = [
    ...unit.turns.slice(0, call.turn + 1).map(({ user }) => user ?? ""),
    ...unit.calls.slice(0, index).flatMap(({ result }) => [...textsOf(result), structuredText(result)]),
  ]
    .map((text) => text.slice(0, mostHeard))
    .join("\n")
    .toLowerCase();
  return !values.some((value) => heard.includes(value));
}

function structuredText(result: unknown): string {
  const has = typeof result === "object" && result !== null && "structuredContent" in result;
  return has ? JSON.stringify(result.structuredContent) : "";
}

function isRetriedOrLeft({ calls }: Unit, call: UnitCall, index: number): boolean {
  const next = calls[index + 1];
  if (!next || next.turn !== call.turn) return true;
  return calls.slice(index + 1).some((later) => later.turn === call.turn && later.toolName === call.toolName);
}
