/** @module `fettle serve`: starts the service, says how to reach it, and stops it when asked. */
import type { Serving } from "@fettle/service";
import { defaultApiUrl } from "../cloud/deployment.ts";
import { untilInterrupted } from "../interrupts.ts";
import { loadService } from "../load-service.ts";
import type { Outcome } from "../output/printer.ts";
import { facts } from "../output/table.ts";
import { lines, style, type Text, text } from "../output/text.ts";
import type { Call, NoArguments } from "../registry/command.ts";
import type { serveFlags } from "../registry/service.ts";

type ServeCall = Call<typeof serveFlags, NoArguments>;

export async function run({ flags, world, print }: ServeCall): Promise<undefined> {
  const { sample, ...given } = flags;
  // Heard from the beginning: a start that is interrupted is finished first, so that no database is left behind.
  const interrupted = untilInterrupted();
  // A line that stays: what the service logs goes to stderr as well.
  print.note("Starting ...");
  const { serve } = await loadService(world);
  const service = await serve({ flags: typed(given), env: world.env, sample });
  print.result(startUp(service, world.env));
  await interrupted;
  print.note("Stopping: finishing what is under way. Once more to stop at once.");
  await service.stop();
}

/** Only what was typed: the rest is for the environment and the defaults. */
export function typed(flags: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(flags).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

function startUp(service: Serving, env: NodeJS.ProcessEnv): Outcome {
  const { url, signInUrl = null, apiKey = null, organizationId = null, projectId = null, dataDir } = service;
  return {
    value: { url, signInUrl, apiKey, organizationId, projectId, dataDir },
    human: () => banner(service, env),
  };
}

function banner({ url, signInUrl, apiKey, dataDir }: Serving, env: NodeJS.ProcessEnv): Text {
  return lines([
    text`${style.green("✓")} ${style.bold("Fettle is running at")} ${style.cyan(url)}`,
    "",
    facts([
      ["Sign in", signInUrl && text`${style.cyan(signInUrl)} ${style.dim("(works once)")}`],
      ["API key", apiKey],
      ["Data", dataDir],
    ]),
    "",
    style.bold("Try"),
    ...commandsToTry(url, apiKey, env).map((command) => text`  ${style.cyan(command)}`),
    "",
    style.dim("Ctrl-C stops it."),
  ]);
}

/** Each works as printed: in a checkout the command is `npx fettle`, and only the usual port needs no address. */
function commandsToTry(url: string, apiKey: string | undefined, env: NodeJS.ProcessEnv): string[] {
  const fettle = env.npm_lifecycle_event ? "npx fettle" : "fettle";
  const isUsual = new URL(defaultApiUrl).port === new URL(url).port;
  const address = isUsual ? "" : ` --api-url ${url}`;
  if (!apiKey)
    return [`${fettle} cloud login${address}`, `${fettle} cloud whoami`, `${fettle} cloud projects list`];
  return [
    `${fettle} cloud whoami --api-key ${apiKey}${address}`,
    `${fettle} cloud projects list --api-key ${apiKey}${address}`,
    `curl -H "Authorization: Bearer ${apiKey}" ${url}/api/v1/me`,
  ];
}
