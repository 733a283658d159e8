/** @module `fettle inspector stop`. */
import { findInspector, startMs, stopInspector } from "../../inspector/control.ts";
import type { Outcome } from "../../output/printer.ts";
import { style, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { attachFlags } from "./flags.ts";

export async function run({ flags, global, world }: Call<typeof attachFlags, NoArguments>): Promise<Outcome> {
  const inspector = await findInspector(world, flags.inspectorUrl);
  if (inspector) await stopInspector(inspector, global.timeout ?? startMs);
  const baseUrl = inspector?.url ?? flags.inspectorUrl ?? null;
  return {
    value: { success: true, stopped: inspector !== undefined, baseUrl },
    human: () =>
      inspector
        ? text`${style.green("✓")} The inspector at ${style.cyan(inspector.url)} was stopped.`
        : text`No inspector runs here.`,
  };
}
