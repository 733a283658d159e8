/** @module Drafts of personas and journeys, as a person reads them. */
import type { GenerationDrafts } from "@fettle/contract/visitors";
import { lines, style, type Text, text } from "../../../output/text.ts";

type Journeys = NonNullable<GenerationDrafts["journeys"]>;

export function draftsText({
  generationModel,
  persona,
  journeys,
  personas,
  skipped,
}: GenerationDrafts): Text {
  const drafts = personas ?? (persona ? [{ persona, journeys: journeys ?? [] }] : []);
  return lines([
    ...drafts.flatMap((draft) => [
      text`${style.bold(draft.persona.name)}, ${draft.persona.role}`,
      ...(draft.persona.notes === "" ? [] : [text`  ${style.dim(draft.persona.notes)}`]),
      ...journeyLines(draft.journeys),
    ]),
    ...(drafts.length === 0 ? journeyLines(journeys ?? []) : []),
    ...((skipped ?? []).length > 0 ? [text``, text`${style.bold("Left out")}`] : []),
    ...(skipped ?? []).map(({ toolName, reason }) => text`  ${toolName}: ${reason}`),
    text``,
    text`${style.dim(`Drafted by ${generationModel}. Nothing is stored.`)}`,
  ]);
}

function journeyLines(journeys: Journeys): Text[] {
  if (journeys.length === 0) return [text`  No journey can be drafted from these tools.`];
  return journeys.flatMap(({ name, goal, suggestedChecks, caution }) => [
    text`  ${name}`,
    text`    Goal: ${goal}`,
    ...(suggestedChecks.length > 0
      ? [text`    Checks: ${suggestedChecks.map(({ toolName }) => `${toolName} is called`).join(", ")}`]
      : []),
    ...(caution === undefined ? [] : [text`    ${style.yellow(caution)}`]),
  ]);
}
