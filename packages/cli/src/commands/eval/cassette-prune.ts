/** @module `fettle eval cassette prune`: recordings of cases that a suite no longer has, listed or deleted. */
import { deleteCassettes, unusedCassettes } from "@fettle/evals";
import { readValidSuite } from "../../eval/suite-input.ts";
import type { Outcome } from "../../output/printer.ts";
import { count } from "../../output/table.ts";
import { lines, style, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { cassettePruneFlags } from "./flags.ts";

export async function run({ flags, world }: Call<typeof cassettePruneFlags, NoArguments>): Promise<Outcome> {
  const { suite } = await readValidSuite(flags.file, world);
  const unused = await unusedCassettes(world.cwd, suite);
  const isDeleted = flags.yes;
  if (isDeleted) await deleteCassettes(world.cwd, unused);
  return {
    value: { deleted: isDeleted, cassettes: unused },
    human: () =>
      lines([
        ...unused.map(({ path, reason }) => text`${style.bold(path)} ${style.dim(reason)}`),
        unused.length === 0
          ? text`${style.green("✓")} Every recording belongs to a case.`
          : text`${isDeleted ? style.green("✓") : style.yellow("–")} ${count(unused.length, "recording")} ${isDeleted ? "deleted" : "can go"}`,
      ]),
    ...(unused.length > 0 &&
      !isDeleted && { hint: `Delete them with \`fettle eval cassette prune --file ${flags.file} --yes\`.` }),
  };
}
