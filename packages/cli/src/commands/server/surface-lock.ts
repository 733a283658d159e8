/** @module `fettle server surface lock`: writes down what a server offers, to be committed and held to. */
import { relative } from "node:path";
import { readSurface, surfaceSections, writeLock } from "@fettle/checks";
import { withServer } from "../../connection/open-server.ts";
import { suggest } from "../../connection/suggest.ts";
import { writeOutFile } from "../../output/out-file.ts";
import type { Outcome } from "../../output/printer.ts";
import { count } from "../../output/table.ts";
import { style, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import { defaultLockFile, type surfaceLockFlags } from "./flags.ts";

export async function run(call: Call<typeof surfaceLockFlags, NoArguments>): Promise<Outcome> {
  const { flags, world } = call;
  return withServer(call, async ({ connection, plan, deadline }) => {
    const { skip } = flags;
    const surface = await readSurface(connection, { skip, signal: deadline.signal });
    const file = await writeOutFile(world, flags.lock ?? defaultLockFile, writeLock(surface));
    const counts = Object.fromEntries(
      surfaceSections.flatMap((name) => (surface[name] ? [[name, Object.keys(surface[name]).length]] : [])),
    );
    const shown = relative(world.cwd, file) || file;
    const total = Object.values(counts).reduce((sum, each) => sum + each, 0);
    return {
      value: { target: plan.facts.label, file, ...counts },
      human: () =>
        text`${style.green("✓")} Locked ${count(total, "definition")} in ${style.bold(shown)}. Commit it.`,
      hint: suggest(["server", "surface", "check"]),
    };
  });
}
