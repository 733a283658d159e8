/** @module What goes wrong inside a server while it runs: errors, time, pages, widgets. */
import type { ErrorClass } from "../errors/error-class.ts";
import { counted } from "../text/scrub.ts";
import { always, anyShare, type Detector, E, everywhere, type Meaning, never, S, twice } from "./detector.ts";
import { ownerOf } from "./error-owner.ts";
import { fieldNamed } from "./schema-path.ts";
import { at, byFriction, byServer, byTool, callsByTool, toolSubject } from "./sights.ts";

const ofRuntime = {
  scopes: everywhere,
  category: "tool_runtime",
  attribution: "server_runtime",
  actionTarget: "mcp_server",
  actionability: "ready",
  surface: "handler",
} as const;

const elsewhere = {
  category: "environment",
  attribution: "environment",
  actionTarget: "environment",
  surface: null,
} as const;

/** What an error of a class means; the classes that are not here have detectors of their own, or mean a fault of the handler. */
const meaningOf: Partial<Record<ErrorClass, Partial<Meaning>>> = {
  not_found: { actionability: "investigate", weight: 0.5 },
  unavailable: { ...elsewhere, actionability: "investigate", weight: 0.5 },
  permission: { ...elsewhere, actionability: "ready", weight: 0.5 },
  invalid_params: {
    category: "tool_contract",
    attribution: "server_contract",
    actionability: "investigate",
    surface: "input_schema",
  },
  method_not_found: { actionability: "investigate" },
};

const slow = { calls: 5, ms: 2_000, times: 3 };
/** Failing with these says nothing about the arguments. */
const apart: ReadonlySet<ErrorClass | null> = new Set(["auth", "rate_limited", "permission"]);
const brokenByServer = new Set(["no_ui_resource", "resource_read_failed", "render_error"]);

export const runtimeDetectors: readonly Detector[] = [
  {
    ...ofRuntime,
    id: "tool_errors",
    see: byTool((call, unit, { surface }) => {
      if (ownerOf(call, unit) !== "tool_errors") return null;
      const tool = surface.find(call.serverId, call.toolName);
      const fieldPath = call.errorClass === "invalid_params" ? fieldNamed(call.template, tool) : null;
      return { ...at(call), fieldPath, errorClass: call.errorClass, template: call.template };
    }),
    isRefutedBySuccess: true,
    weight: 1,
    means: ({ place, tally, times }) => ({
      ...meaningOf[place.errorClass ?? "domain"],
      ...(place.errorClass === "not_found" &&
        2 * (tally.invented ?? 0) > times && {
          attribution: "agent_or_prompt",
          actionTarget: "agent_configuration",
        }),
    }),
    isProven: twice,
    evidence: ["tool_error", "contrast"],
    texts: {
      title: ({ tool, place, words }) =>
        `${tool} ${failing[place.errorClass ?? "domain"] ?? "fails"}: ${words.replaceAll(/<\w+>/g, "…")}`,
      phrase: "fails",
      observed: ({ times, tool, words, count, total, unit }) =>
        `${counted(times, "failed call")} of "${tool}" in ${count} of ${total} ${unit}: "${words}"`,
      recommendation: ({ place }) => advice[place.errorClass ?? "domain"] ?? advice.domain,
      rootCause: ({ place, tool }) =>
        `The same error of class ${place.errorClass} comes back from ${tool} whoever calls it.`,
      patternSlug: "recovery-guide",
    },
  },
  {
    ...ofRuntime,
    id: "timeout_recurring",
    see: byTool((call, unit) =>
      ownerOf(call, unit) === "timeout_recurring"
        ? { ...at(call), errorClass: call.errorClass, template: call.template }
        : null,
    ),
    isRefutedBySuccess: true,
    weight: 1,
    isProven: twice,
    evidence: ["tool_error"],
    texts: {
      phrase: "times out",
      observed: ({ times, tool, count, total, unit }) =>
        `${counted(times, "call")} of "${tool}" timed out in ${count} of ${total} ${unit}`,
      recommendation: "Answer sooner, report progress, or hand long work over and let it be asked for.",
      rootCause: "The handler takes longer than callers wait.",
      acceptance: ({ tool }) => `p95 of ${tool} stays under half of the callers' time limit over 20 calls`,
    },
  },
  {
    ...ofRuntime,
    id: "latency_outlier",
    see: byTool(
      (call) => ((call.durationMs ?? 0) >= slow.ms ? at(call) : null),
      ({ durationMs }) => durationMs,
    ),
    least: anyShare(1),
    fires: ({ values, rest }) =>
      values.count >= slow.calls &&
      rest.count > 0 &&
      (values.at(0.95) ?? 0) >= Math.max(slow.ms, slow.times * (rest.at(0.95) ?? 0)),
    actionability: "investigate",
    weight: 0.5,
    isProven: never,
    evidence: ["transcript", "contrast"],
    texts: {
      phrase: "is much slower than the other tools",
      observed: ({ tool, values, rest }) => {
        const [own, others] = [values.at(0.95) ?? 0, rest.at(0.95) ?? 0];
        return `"${tool}" takes ${own} ms (p95) against ${others} ms elsewhere (x${(own / Math.max(1, others)).toFixed(1)})`;
      },
      recommendation: "Measure where the time goes in this tool; cache or narrow what it fetches.",
      acceptance: ({ tool }) => `p95 of ${tool} stays under ${slow.ms} ms over 20 calls`,
    },
  },
  {
    ...ofRuntime,
    id: "flaky_tool",
    *see(unit) {
      for (const calls of callsByTool(unit).values()) {
        const [{ serverId, toolName }] = calls;
        const alike = Map.groupBy(
          calls.filter(({ errorClass }) => !apart.has(errorClass)),
          ({ argsDigest }) => argsDigest,
        );
        yield {
          subject: toolSubject(serverId, toolName),
          hits: [...alike].map(([digest, same]) => {
            const failed = same.filter(({ end }) => end === "error");
            return {
              place: { serverId, toolName },
              times: failed.length,
              call: failed[0]?.index,
              group: digest,
              isQuiet: failed.length === 0,
              tally: { ok: same.length - failed.length, failed: failed.length },
            };
          }),
        };
      }
    },
    keeps: ({ ok = 0, failed = 0 }) => ok > 0 && failed > 0,
    weight: 0.75,
    isProven: twice,
    evidence: ["tool_error", "contrast"],
    texts: {
      phrase: "the same call sometimes fails and sometimes succeeds",
      observed: ({ tool, times, count, total, unit }) =>
        `"${tool}" failed ${times} times in ${count} of ${total} ${unit} with arguments that also succeeded`,
      recommendation:
        "Find what besides the arguments decides: state, order, a race, something behind the server.",
      rootCause: "Identical arguments both succeed and fail, so the cause lies behind the call.",
      acceptance: ({ tool }) => `20 identical calls of ${tool} end the same way`,
    },
  },
  {
    ...ofRuntime,
    id: "connection_lost",
    see: byServer((call, unit) => ownerOf(call, unit) === "connection_lost"),
    actionability: "investigate",
    weight: 0.75,
    isProven: never,
    evidence: ["tool_error"],
    texts: {
      phrase: "the connection breaks in mid-conversation",
      recommendation:
        "Look for crashes, restarts and idle limits of the server, and of what stands in front of it.",
    },
  },
  {
    ...ofRuntime,
    id: "pagination_dead_end",
    see: byFriction(
      ["pagination_dead_end"],
      (tool) => `Asked for the next page, ${tool} gave the same page again.`,
    ),
    weight: 0.75,
    isProven: always,
    evidence: ["transcript"],
    texts: {
      phrase: "the next page is the same page",
      recommendation: "Let the cursor move the result on, and say when there is no more.",
      rootCause: "Only the parameters of paging changed, and the result did not.",
      acceptance: ({ tool }) =>
        `Two successive pages of ${tool} differ, or the first says that it is the last`,
      patternSlug: "pagination-contract",
    },
  },
  {
    ...ofRuntime,
    id: "error_recovered_pass",
    scopes: [E, S],
    see: byTool((call, unit) =>
      unit.verdict === "passed" && call.end === "error" && !call.isPinned ? at(call) : null,
    ),
    actionability: "investigate",
    weight: 0.25,
    isProven: never,
    evidence: ["tool_error", "contrast"],
    texts: {
      phrase: "fails on the way to a pass",
      recommendation:
        "See whether the error could be avoided: each costs a step, and a weaker model may not recover.",
    },
  },
  {
    ...ofRuntime,
    id: "widget_render_failed",
    *see(unit) {
      for (const { serverId, toolName, status } of unit.widgets) {
        if (status === "browser_unavailable") continue;
        const seen = `The view of "${toolName}" ended as ${status}.`;
        const hit = { place: { serverId, toolName, template: status }, times: 1, seen };
        yield { subject: toolSubject(serverId, toolName), hits: status === "rendered" ? [] : [hit] };
      }
    },
    weight: 0.75,
    means: ({ place }) => (brokenByServer.has(place.template ?? "") ? {} : { actionability: "investigate" }),
    isProven: ({ place }) => brokenByServer.has(place.template ?? ""),
    evidence: ["transcript"],
    texts: {
      title: ({ tool, words }) => `${tool}: its view does not render (${words})`,
      phrase: "its view does not render",
      recommendation: "Serve the UI resource that the tool names, and let it start without errors.",
      rootCause: ({ words }) => `Rendering ends as ${words}.`,
      acceptance: ({ tool }) => `The view of ${tool} renders`,
    },
  },
  {
    ...ofRuntime,
    id: "widget_console_errors",
    *see(unit) {
      for (const { serverId, toolName, errorTemplate } of unit.widgets) {
        const hit = {
          place: { serverId, toolName, template: errorTemplate },
          times: 1,
          seen: errorTemplate ?? "",
        };
        yield { subject: toolSubject(serverId, toolName), hits: errorTemplate === null ? [] : [hit] };
      }
    },
    weight: 0.5,
    isProven: twice,
    evidence: ["transcript"],
    texts: {
      title: ({ tool, words }) => `${tool}: its view writes errors to the console: ${words}`,
      phrase: "its view writes errors to the console",
      recommendation: "Open the view with the result that is shown here, and mend what the console names.",
      rootCause: "The view's own script fails with the same error again and again.",
      acceptance: ({ tool }) => `The view of ${tool} renders without errors in the console`,
    },
  },
];

/** What somebody who reads a title understands of a class; the others just fail. */
const failing: Partial<Record<ErrorClass, string>> = {
  unavailable: "is not available",
  permission: "is not allowed",
  method_not_found: "is listed and not served",
  invalid_params: "refuses its arguments",
  not_found: "does not find what it is asked for",
};

const advice: Partial<Record<ErrorClass, string>> & { domain: string } = {
  domain: "Handle this case in the tool, or say in the error what to send instead.",
  internal:
    "Catch this failure in the handler, mend its cause, and answer with an error that says what to do.",
  parse: "Mend what the handler reads or writes as JSON, and test it with this input.",
  conflict: "Say in the error what is there already and how to go on: another name, a version, an update.",
  not_found:
    "Check how the identifier gets to the call: let a list or a search give it, and say so in the description.",
  unavailable: "See that what stands behind the server can be reached from where it runs.",
  permission: "Give the account that was used the right it lacks, or use another.",
  invalid_params: "Say in the input schema what the handler demands.",
  method_not_found: "The tool is listed and not served: list and handler must agree.",
  opaque: "Return what was wrong and what to send instead.",
};
