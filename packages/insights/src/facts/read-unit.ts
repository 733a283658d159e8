/** @module From a conversation to what is kept of it. Done once, when it ends; the rest of insights reads nothing else. Pure. */
import type { SchemaJudge } from "@fettle/contract/servers";
import { shortDigestOf } from "../digest.ts";
import { errorClassOf } from "../errors/error-class.ts";
import { templateOf } from "../errors/template.ts";
import type { ServerSnapshot } from "../observed/snapshot.ts";
import { readSurface } from "../observed/surface.ts";
import type { Named, Unit, UnitCall, UnitCohort } from "../observed/unit.ts";
import { identifierOf, nameOf, type Scrub, scrubbed } from "../text/scrub.ts";
import { callFacts } from "./call-facts.ts";
import { excerptsOf } from "./excerpts.ts";
import { expectationFacts } from "./expectation-facts.ts";
import { frictionOf } from "./friction.ts";
import { hidingIn, isShallow, type Reading } from "./reading.ts";
import { turnFacts } from "./turn-facts.ts";
import { factsVersion, type LastEvent, type UnitFacts } from "./unit-facts.ts";

export interface ReadingOptions {
  /** Every one that a unit names. */
  snapshots: readonly ServerSnapshot[];
  /** Judges by the schemas of servers; `openSchemaJudge` of evals gives up on those that take too long. */
  judge: SchemaJudge;
  /** Takes out what is known to be secret: values of headers and variables. */
  hide?: Scrub | undefined;
}

const most = { calls: 200, turns: 100, criteria: 50, widgets: 50 };

/**
 * @example
 * const factsOf = factsReader({ snapshots, judge });
 * const kept = units.map(factsOf);
 */
export function factsReader({
  snapshots,
  judge,
  hide = (text) => text,
}: ReadingOptions): (unit: Unit) => UnitFacts {
  const reading: Reading = { surface: readSurface(snapshots), judge, hide };
  return (unit) => unitFacts(unit, reading);
}

function unitFacts(whole: Unit, reading: Reading): UnitFacts {
  const unit = {
    ...whole,
    calls: whole.calls.slice(0, most.calls).map(bearable),
    turns: whole.turns.slice(0, most.turns),
  };
  const hide = hidingIn(unit, reading.hide);
  const calls = Array.from(unit.calls.entries(), (call) => callFacts(unit, call, reading, hide));
  const turns = turnFacts(unit, reading, hide);
  const { end, judge } = unit;
  const named = (one: Named): Named => ({ id: one.id, label: nameOf(one.label, hide) });
  const namedOrNull = (one: Named | undefined) => (one ? named(one) : null);
  return {
    version: factsVersion,
    kind: unit.kind,
    unitId: unit.id,
    startedAt: unit.startedAt,
    durationMs: unit.durationMs,
    modelId: unit.model?.id ?? null,
    modelClass: unit.model?.modelClass ?? null,
    case: namedOrNull(unit.case),
    journey: namedOrNull(unit.journey),
    persona: namedOrNull(unit.persona),
    surface: namedOrNull(unit.surface),
    target: unit.target ? { ...named(unit.target), kind: unit.target.kind } : null,
    cohort: cohortOf(unit.cohort ?? {}, hide),
    snapshots: { ...unit.snapshots },
    verdict: unit.verdict,
    isGating: unit.isGating,
    judge: judge ? { passed: judge.passed, margin: rounded(judge.score - judge.threshold) } : null,
    criteria: (unit.criteria ?? [])
      .slice(0, most.criteria)
      .map((one) => ({ ...named(one), passed: one.passed })),
    isNegative: unit.feedback?.isNegative ?? null,
    stopCause: end.stopCause,
    lastEvent: lastEventOf(unit),
    authWallOf: end.authWallOf ?? null,
    unreachable: end.setupFailure ? unreachable(end.setupFailure, reading, hide) : null,
    idleAfterMs: end.idleAfterMs,
    reachedTurnCap: end.reachedTurnCap,
    totalTokens: unit.totalTokens,
    staleEntries: unit.staleEntries ?? 0,
    isReadable: unit.isUnreadable !== true,
    path: pathOf(unit),
    calls,
    omittedCalls: whole.calls.length - unit.calls.length,
    turns,
    friction: frictionOf(unit, calls),
    expectation: expectationFacts(unit, reading.surface),
    widgets: (unit.widgets ?? [])
      .slice(0, most.widgets)
      .map(({ serverId, toolName, status, consoleErrors }) => {
        const [first] = consoleErrors;
        const template =
          first === undefined
            ? null
            : templateOf(scrubbed(first, hide), reading.surface.vocabulary(serverId));
        return { serverId, toolName, status, errorTemplate: template };
      }),
    excerpts: excerptsOf(unit, calls, turns, hide),
  };
}

/** What is nested without end is not looked at. */
function bearable(call: UnitCall): UnitCall {
  const given = isShallow(call.arguments) ? call.arguments : {};
  return { ...call, arguments: given, result: isShallow(call.result) ? call.result : undefined };
}

/** What browsers say of themselves is anybody's text. */
function cohortOf(cohort: UnitCohort, hide: Scrub): UnitCohort {
  return Object.fromEntries(
    Object.entries(cohort).flatMap(([key, value]) => (value ? [[key, nameOf(value, hide)]] : [])),
  );
}

const rounded = (value: number) => Math.round(value * 10_000) / 10_000;

function unreachable(
  { serverId, text }: { serverId: string; text: string },
  { surface }: Reading,
  hide: Scrub,
) {
  const said = scrubbed(text, hide);
  const template = templateOf(said, surface.vocabulary(serverId));
  return { serverId, template, errorClass: errorClassOf({ text: said, template }) };
}

function lastEventOf({ turns, calls, end }: Unit): LastEvent {
  if (end.authWallOf !== undefined) return "auth_wall";
  const last = turns.at(-1);
  if (!last) return "none";
  if ((last.answer ?? "").trim() !== "") return "assistant_text";
  const call = calls.findLast(({ turn }) => turn === turns.length - 1);
  return call?.end === "error" ? "tool_error" : "user_message";
}

const shownSteps = 3;

/** Known by which tools followed one another, whatever they were called with. */
function pathOf({ calls }: Unit): Named | null {
  const steps = calls
    // A name that no server has is whatever a model wrote.
    .filter(({ serverId }) => serverId !== null)
    .map(({ serverId, toolName }) => `${serverId}/${toolName}`)
    .filter((step, at, all) => step !== all[at - 1]);
  if (steps.length === 0) return null;
  const label = steps.slice(0, shownSteps).map((step) => identifierOf(step.slice(step.indexOf("/") + 1)));
  return { id: `ph_${shortDigestOf(steps)}`, label: label.join(" → ") };
}
