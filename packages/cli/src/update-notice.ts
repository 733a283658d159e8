/**
 * @module A word about a newer version, from what `~/.fettle/update-check.json` knows. This build asks nobody, so it knows only what a
 * package manager or an operator wrote there; no file, no word.
 */
import { writeAtomically } from "./files/atomic-write.ts";
import { updateFile } from "./files/home.ts";
import { isRecord, readJsonIfAny } from "./files/read-json.ts";
import { style, type Text, text } from "./output/text.ts";
import { version } from "./version.ts";
import type { World } from "./world.ts";

const day = 24 * 60 * 60 * 1000;

/** The line to show, at most once a day; remembers that it was asked for. */
export async function updateNotice(world: World): Promise<Text | undefined> {
  const { env, now } = world;
  if (env.CI || env.FETTLE_NO_UPDATE_CHECK || env.NO_UPDATE_NOTIFIER) return undefined;
  const file = updateFile(world);
  const known = await readJsonIfAny(file);
  if (!isRecord(known) || typeof known.latestVersion !== "string" || !isNewer(known.latestVersion, version)) {
    return undefined;
  }
  if (typeof known.mentionedAt === "number" && now() - known.mentionedAt < day) return undefined;
  // Forgetting that it was said only repeats it; that must not fail the command.
  await writeAtomically(file, `${JSON.stringify({ ...known, mentionedAt: now() })}\n`).catch(() => {});
  return text`Fettle ${style.bold(known.latestVersion)} is out; this is ${version}.`;
}

/** Compares released versions; anything else, such as a preview, is never worth a word. */
export function isNewer(candidate: string, current: string): boolean {
  const [theirs, ours] = [candidate, current].map((each) =>
    /^(\d+)\.(\d+)\.(\d+)$/.exec(each)?.slice(1).map(Number),
  );
  if (!theirs || !ours) return false;
  const difference = theirs.map((part, index) => part - (ours[index] ?? 0)).find((part) => part !== 0);
  return (difference ?? 0) > 0;
}
