/** @module When something runs by itself, in words. */
import type { ConformanceSchedule } from "@fettle/contract/servers";

type Schedule = Pick<ConformanceSchedule, "enabled" | "intervalMinutes" | "state">;

/** What the choice offers; any other interval is shown as it is. */
const intervals: readonly { minutes: number; word: string }[] = [
  { minutes: 15, word: "Every 15 minutes" },
  { minutes: 60, word: "Every hour" },
  { minutes: 360, word: "Every 6 hours" },
  { minutes: 1440, word: "Every day" },
  { minutes: 10_080, word: "Every week" },
];

function intervalWords(minutes: number): string {
  return intervals.find((each) => each.minutes === minutes)?.word ?? `Every ${minutes} minutes`;
}

/** As the options of a choice; nothing stands for never. */
export const intervalOptions = [
  { value: "0", label: "Only when asked" },
  ...intervals.map(({ minutes, word }) => ({ value: String(minutes), label: word })),
];

export function scheduleWords({ enabled, intervalMinutes, state }: Schedule): string {
  if (!enabled || intervalMinutes === null) return "Only when asked";
  const words = intervalWords(intervalMinutes);
  if (state === "paused") return `${words}, paused`;
  return state === "failing" ? `${words}, failing` : words;
}
