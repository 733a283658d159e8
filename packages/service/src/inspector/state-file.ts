/** @module `inspector.json`: which inspector a person's folder has. There is one at most, and each takes away only its own file. */
import { readFileSync, rmSync } from "node:fs";
import { link, rm } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "@fettle/contract/core";
import { InspectorHealth, InspectorState, inspectorLimits } from "@fettle/contract/inspector";
import { createHttpClient, localPolicy } from "@fettle/mcp";
import { StartError } from "../core/start-error.ts";
import { readText, writePrivate } from "./files.ts";

const pathIn = (home: string) => join(home, "inspector.json");

/** One that answers is not put aside by another: it could never be stopped again. */
export async function refuseSecond(home: string): Promise<void> {
  const named = stateIn(await readText(pathIn(home)));
  if (!named || !(await answers(named))) return;
  throw new StartError(
    "INSPECTOR_RUNNING",
    `An inspector runs here already, at ${named.url} (process ${named.pid}).`,
    "Open it with `fettle inspector open`, or end it first with `fettle inspector stop`.",
  );
}

/** Of two that begin at once, the one that writes first has the folder. */
export async function claimHome(home: string, state: InspectorState): Promise<void> {
  const path = pathIn(home);
  const own = `${path}.${state.startId}`;
  await writePrivate(own, `${JSON.stringify(state, null, 2)}\n`);
  try {
    for (;;) {
      try {
        await link(own, path);
        return;
      } catch (error) {
        if (codeOf(error) !== "EEXIST") throw error;
        await refuseSecond(home);
        // Left by one that was killed.
        await rm(path, { force: true });
      }
    }
  } finally {
    await rm(own, { force: true });
  }
}

export function releaseHome(home: string, { startId }: InspectorState): void {
  try {
    const path = pathIn(home);
    if (stateIn(readFileSync(path, "utf8"))?.startId === startId) rmSync(path, { force: true });
  } catch {
    // Gone already.
  }
}

function stateIn(text: string | undefined): InspectorState | undefined {
  try {
    const read = InspectorState.safeParse(JSON.parse(text ?? ""));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}

/** Its port may be somebody else's by now. */
async function answers({ url, startId }: InspectorState): Promise<boolean> {
  const client = createHttpClient({ policy: localPolicy });
  try {
    const signal = AbortSignal.timeout(inspectorLimits.healthMs);
    const answer = await client.request({ method: "GET", url: `${url}/health`, redirect: "manual", signal });
    const read = InspectorHealth.safeParse(JSON.parse(await answer.text()));
    return read.success && read.data.startId === startId;
  } catch {
    return false;
  } finally {
    client.close();
  }
}
