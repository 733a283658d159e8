/** @module `fettle inspector start`: in the background, without a browser. */
import { findInspector, startInspector, startMs } from "../../inspector/control.ts";
import type { Outcome } from "../../output/printer.ts";
import { style, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { attachFlags } from "./flags.ts";

export async function run({ flags, global, world }: Call<typeof attachFlags, NoArguments>): Promise<Outcome> {
  const running = await findInspector(world, flags.inspectorUrl);
  const inspector = running ?? (await startInspector(world, global.timeout ?? startMs));
  const started = running === undefined;
  return {
    value: { success: true, started, baseUrl: inspector.url },
    human: () =>
      text`${style.green("✓")} The inspector ${started ? "was started" : "runs already"} at ${style.cyan(inspector.url)}`,
    hint: text`Next: fettle inspector open`,
  };
}
