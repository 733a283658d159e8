/** @module `fettle inspector open`: a page that is let in, in the person's own browser. */
import { canOpenBrowser, openBrowser } from "../../browser/open-browser.ts";
import { usageError } from "../../cli-error.ts";
import { chooseTarget } from "../../connection/target.ts";
import { findInspector, pageUrl, startInspector, startMs, statusOf } from "../../inspector/control.ts";
import { keepServer } from "../../inspector/keep-server.ts";
import type { Outcome } from "../../output/printer.ts";
import { lines, style, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { openFlags } from "./flags.ts";

const spokenAsUsual = { protocolVersion: undefined, clientCapabilities: undefined };

export async function run({ flags, global, world }: Call<typeof openFlags, NoArguments>): Promise<Outcome> {
  const { tab } = flags;
  if (tab !== undefined && !/^\/(?!\/)/.test(tab)) {
    throw usageError("--tab is a path of the inspector, such as /p/proj_local/servers.");
  }
  const isNamed = flags.url !== undefined || flags.command !== undefined;
  if (isNamed && tab !== undefined) {
    throw usageError("A server that is named is opened at its tools; --tab cannot be combined with it.");
  }
  const chosen = isNamed ? await chooseTarget({ ...flags, ...spokenAsUsual }, world) : undefined;
  const running = await findInspector(world, flags.inspectorUrl);
  const inspector = running ?? (await startInspector(world, global.timeout ?? startMs));
  const { hasActiveClient } = await statusOf(inspector);
  const server = chosen && (await keepServer(inspector, chosen.target, flags.serverName));
  const page = server ? `/p/proj_local/servers/${server.id}/tools` : tab;
  const url = await pageUrl(inspector, page);
  const opens = !hasActiveClient && canOpenBrowser({ env: world.env });
  if (opens) openBrowser(url);
  return {
    value: {
      success: true,
      started: running === undefined,
      baseUrl: inspector.url,
      url: url.href,
      ...(tab !== undefined && { tab }),
      ...(server && { serverId: server.id, serverName: server.name }),
    },
    human: () =>
      lines([
        text`${style.green("✓")} ${
          opens
            ? "The inspector was opened in your browser."
            : hasActiveClient
              ? "A page of the inspector is open already."
              : "Open this address in your browser; it works once:"
        }`,
        text`  ${style.cyan(url.href)}`,
      ]),
  };
}
