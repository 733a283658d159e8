/** @module What is asked of the views that tools rendered. Without an observation they fail: nobody looked. */

import { positive, predicate, seen, toolName } from "./predicate.ts";
import type { RenderObservation, Transcript } from "./transcript.ts";

const scope = { toolName: toolName.optional() };

function observed({ renderObservations = [] }: Transcript, name: string | undefined): RenderObservation[] {
  return renderObservations.filter((one) => name === undefined || one.toolName === name);
}

export const widgetPredicates = [
  predicate("widgetRendered", "a view was rendered", scope, ({ toolName: name }, transcript) => {
    const views = observed(transcript, name);
    if (views.length === 0) return seen(false, "no view was observed");
    return seen(
      views.some(({ status }) => status === "rendered"),
      views.map(({ status }) => status).join(", "),
    );
  }),
  predicate(
    "widgetRenderLatencyUnder",
    "every view was rendered faster than a bound",
    { ...scope, ms: positive },
    ({ toolName: name, ms }, transcript) => {
      const rendered = observed(transcript, name).filter(({ status }) => status === "rendered");
      const timed = rendered.flatMap(({ latencyMs }) => (latencyMs === undefined ? [] : [latencyMs]));
      if (timed.length === 0 || timed.length < rendered.length)
        return seen(false, "no rendered view was timed");
      const slowest = Math.max(...timed);
      return seen(slowest < ms, `the slowest took ${Math.round(slowest)} ms`);
    },
  ),
  predicate("widgetNoConsoleErrors", "no view logged an error", scope, ({ toolName: name }, transcript) => {
    const views = observed(transcript, name);
    if (views.length === 0) return seen(false, "no view was observed");
    const errors = views.flatMap(({ consoleErrors = [] }) => consoleErrors);
    return seen(errors.length === 0, errors[0] ?? "none was logged");
  }),
] as const;
