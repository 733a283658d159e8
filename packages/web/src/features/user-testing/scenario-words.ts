/** @module The words of scenarios and sessions, as pages say them. */
import type { FeedbackStyle, ScenarioMode, SessionEnd, UserTestingSession } from "@fettle/contract/visitors";
import type { ChoiceOption } from "../../ui/choice.tsx";

export const modeOptions: readonly ChoiceOption<ScenarioMode>[] = [
  { value: "project_members", label: "People of the project", hint: "Signed in." },
  {
    value: "invited_only",
    label: "Invited people",
    hint: "Each has a link of their own, which works without an account.",
  },
  { value: "anyone_with_link", label: "Anyone with the link", hint: "Also guests, within their limits." },
];

/** From the narrowest to the widest, as they are listed. */
export const isNarrower = (next: ScenarioMode, now: ScenarioMode | null): boolean =>
  modeOptions.findIndex(({ value }) => value === next) < modeOptions.findIndex(({ value }) => value === now);

export const modeText = (mode: string | null): string =>
  modeOptions.find(({ value }) => value === mode)?.label ?? "Nobody";

export const feedbackOptions: readonly ChoiceOption<FeedbackStyle>[] = [
  { value: "off", label: "None" },
  { value: "thumbs", label: "Thumbs" },
  { value: "stars", label: "Stars" },
];

const endTexts: Record<SessionEnd, string> = {
  visitor: "Finished",
  idle: "Left alone",
  access: "Access ended",
  erased: "Erased",
};

export const endText = (ended: SessionEnd | null): string => (ended === null ? "Open" : endTexts[ended]);

/** Who it was, as far as is known. */
export function visitorText({ visitor }: Pick<UserTestingSession, "visitor">): string {
  const { displayName, authType, deviceKind, language } = visitor;
  const name = displayName ?? (authType === "guest" ? "A guest" : "Somebody signed in");
  const more = [deviceKind, language].filter(Boolean).join(", ");
  return more === "" ? name : `${name} (${more})`;
}

export const percent = (share: number | null): string =>
  share === null ? "unknown" : `${Math.round(share * 100)} %`;
