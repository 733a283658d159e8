/** @module `fettle serve`: starts the service, says how to reach it, and stops it when asked. */
import type { Serving } from "@fettle/service";
import { defaultApiUrl } from "../../cloud/deployment.ts";
import { untilInterrupted } from "../../interrupts.ts";
import { loadService, onlyTyped } from "../../load-service.ts";
import type { Outcome } from "../../output/printer.ts";
import { facts } from "../../output/table.ts";
import { lines, style, type Text, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import { settleAfterStart } from "../../start-memory.ts";
import type { serveFlags } from "./flags.ts";

type ServeCall = Call<typeof serveFlags, NoArguments>;

export async function run({ flags, world, print }: ServeCall): Promise<undefined> {
  const { sample, ...given } = flags;
  // Heard from the beginning: a start that is interrupted is finished first, so that no database is left behind.
  const interrupted = untilInterrupted();
  const { serve, readConfig } = await loadService(world);
  const settings = { flags: onlyTyped(given), env: world.env };
  // What cannot be right is refused before anything is begun.
  readConfig(settings);
  // A line that stays: what the service logs goes to stderr as well.
  print.note("Starting ...");
  const service = await serve({ ...settings, sample });
  print.result(startUp(service, world.program));
  settleAfterStart();
  await interrupted;
  print.note("Stopping: finishing what is under way. Once more to stop at once.");
  await service.stop();
}

function startUp(service: Serving, program: string): Outcome {
  const { url, signInUrl = null, apiKey = null, organizationId = null, projectId = null, dataDir } = service;
  const { serverId = null, bookshopUrl = null } = service;
  return {
    value: { url, signInUrl, apiKey, organizationId, projectId, serverId, bookshopUrl, dataDir },
    human: () => banner(service, program),
  };
}

function banner(service: Serving, program: string): Text {
  const { url, signInUrl, apiKey, projectId, serverId, bookshopUrl, dataDir } = service;
  return lines([
    text`${style.green("✓")} ${style.bold("Fettle is running at")} ${style.cyan(url)}`,
    "",
    facts([
      ["Sign in", signInUrl && text`${style.cyan(signInUrl)} ${style.dim("(works once)")}`],
      ["API key", apiKey],
      ["Project", projectId],
      ["Server", serverId && text`${serverId} ${style.dim("(Bookshop)")}`],
      ["Bookshop", bookshopUrl && style.cyan(bookshopUrl)],
      ["Data", dataDir],
    ]),
    "",
    style.bold("Try, in another terminal"),
    ...commandsToTry(service, program).flatMap((command) =>
      command.map((part, index) => {
        const more = index < command.length - 1 ? style.dim(" \\") : "";
        return text`${index === 0 ? "  " : "    "}${style.cyan(part)}${more}`;
      }),
    ),
    "",
    style.dim("Ctrl-C stops it."),
  ]);
}

/**
 * Each works as printed, on its own: only the usual port needs no address. In parts,
 * because a key and a command do not fit on one line.
 */
function commandsToTry(
  { url, apiKey, projectId, serverId, bookshopUrl }: Serving,
  fettle: string,
): string[][] {
  const isUsual = new URL(defaultApiUrl).port === new URL(url).port;
  const address = isUsual ? [] : [`--api-url ${url}`];
  const login = [`${fettle} cloud login`, ...address];
  if (!apiKey) return [login, [`${fettle} cloud whoami`], [`${fettle} cloud projects list`]];
  const credential = [...address, `--api-key ${apiKey}`];
  return [
    ...(bookshopUrl
      ? [
          [`${fettle} server doctor ${bookshopUrl}`],
          [
            `${fettle} tools call ${bookshopUrl}`,
            "--tool-name search_books",
            `--tool-args '{"query":"swallows"}'`,
          ],
        ]
      : []),
    login,
    [`${fettle} cloud projects list`, ...credential],
    ...(projectId && serverId
      ? [
          [
            `${fettle} cloud projects servers get`,
            `--project ${projectId}`,
            `--server ${serverId}`,
            ...credential,
          ],
        ]
      : []),
    [`curl ${url}/api/v1/me`, `--oauth2-bearer ${apiKey}`],
  ];
}
