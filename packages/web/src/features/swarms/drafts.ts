/** @module From what was drafted to what a form says. Pure. */
import type { GenerationDrafts } from "@fettle/contract/visitors";
import type { JourneyValues } from "./values.ts";

/** Whose servers are asked, as the API takes it. */
export type DraftGround = { environmentId: string } | { serverAttachmentId: string };

/** @example draftGround("group sgr_1") // { serverAttachmentId: "sgr_1" } */
export function draftGround(chosen: string): DraftGround {
  const [kind, id = ""] = chosen.split(" ");
  return kind === "group" ? { serverAttachmentId: id } : { environmentId: id };
}

export type DraftedJourney = NonNullable<GenerationDrafts["journeys"]>[number];

/** The checks of a draft come beside those that fit every goal; those of a draft taken before go. */
export function withDraft(
  { rubric }: Pick<JourneyValues, "rubric">,
  { name, goal, suggestedChecks }: DraftedJourney,
): Pick<JourneyValues, "name" | "goal" | "rubric"> {
  const kept = rubric.filter(({ id }) => !id.startsWith("drafted-"));
  const drafted = suggestedChecks.map((predicate, at) => ({
    id: `drafted-${at + 1}`,
    label: `${predicate.toolName} is called`,
    predicate,
  }));
  return { name, goal, rubric: [...kept, ...drafted] };
}
