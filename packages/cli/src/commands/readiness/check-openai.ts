/** @module `fettle readiness check openai`: is a server, a package or both ready for the OpenAI directory? */
import { resolve } from "node:path";
import { modeParts, type PackageReading, readPackage } from "@fettle/checks";
import { usageError } from "../../cli-error.ts";
import { whyUnreadable } from "../../files/unreadable.ts";
import type { Outcome } from "../../output/printer.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import { checkReadiness } from "../../readiness/check-readiness.ts";
import type { checkOpenaiFlags } from "./flags.ts";

type CheckCall = Call<typeof checkOpenaiFlags, NoArguments>;

export async function run(call: CheckCall): Promise<Outcome> {
  const { submissionMode } = call.flags;
  refuseMismatch(call.flags);
  const bundle = await readBundle(call);
  return checkReadiness(call, "openai", { submissionMode, ...(bundle && { package: bundle }) });
}

/** What is given must be what is submitted: nothing is left out in silence. */
function refuseMismatch({ submissionMode: mode, url, package: path }: CheckCall["flags"]): void {
  const parts = modeParts[mode];
  const given = [
    { what: "the server's address", isGiven: url !== undefined, isWanted: parts.server },
    { what: "--package", isGiven: path !== undefined, isWanted: parts.package },
  ];
  for (const { what, isGiven, isWanted } of given) {
    if (isWanted && !isGiven) throw usageError(`--submission-mode ${mode} needs ${what}.`);
    if (!isWanted && isGiven) throw usageError(`--submission-mode ${mode} does not go with ${what}.`);
  }
}

async function readBundle({ flags, world }: CheckCall): Promise<PackageReading | undefined> {
  if (flags.package === undefined) return undefined;
  try {
    return await readPackage(resolve(world.cwd, flags.package));
  } catch (cause) {
    throw usageError(`--package cannot be read: ${whyUnreadable(cause)}.`, { cause });
  }
}
