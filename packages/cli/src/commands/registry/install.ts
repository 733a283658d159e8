/** @module `fettle registry install`: an entry of a directory, or a card, becomes a saved server. */
import { idOf } from "@fettle/contract/core";
import { usageError } from "../../cli-error.ts";
import { inNamedProject } from "../../cloud/named-project.ts";
import type { Outcome } from "../../output/printer.ts";
import { lines, style, text } from "../../output/text.ts";
import type { Call } from "../../program/command.ts";
import type { installArguments, installFlags } from "./flags.ts";

type InstallCall = Call<typeof installFlags, typeof installArguments>;

export async function run(call: InstallCall): Promise<Outcome> {
  refuseMixed(call.flags);
  const { client, projectId } = await inNamedProject(call);
  const { id } = call.arguments;
  const { card, endpointUrl, expectedContentHash, expectedUpdatedAt, name } = call.flags;
  const installed = card
    ? await client.installRegistryServer({
        projectId,
        body: { registryServerId: idOf<"registryCard">().parse(id), expectedUpdatedAt, name },
      })
    : await client.installRegistryDirectoryServer({
        projectId,
        body: { catalogServerId: idOf<"catalogServer">().parse(id), endpointUrl, expectedContentHash, name },
      });
  const did = installed.outcome === "created" ? "Installed" : "Connected again to";
  const { serverId, serverName, missingHeaders = [] } = installed;
  return {
    value: installed,
    human: () =>
      lines([
        text`${style.green("✓")} ${did} ${style.bold(serverName)} ${style.dim(`(${serverId})`)}`,
        ...missingHeaders.map(
          ({ name: header, description }) =>
            text`  ${style.yellow("!")} It asks for the header ${style.bold(header)}${description === undefined ? "" : ` (${description})`}, which it has not been given: cloud projects servers update --header`,
        ),
      ]),
    hint: style.cyan("fettle registry connections"),
  };
}

/** A flag that would be left out in silence could be the one that guards. */
function refuseMixed({
  card,
  endpointUrl,
  expectedContentHash,
  expectedUpdatedAt,
}: InstallCall["flags"]): void {
  if (card && endpointUrl !== undefined) throw usageError("--endpoint-url does not go with --card.");
  if (card && expectedContentHash !== undefined) {
    throw usageError("--expected-content-hash does not go with --card; use --expected-updated-at.");
  }
  if (!card && expectedUpdatedAt !== undefined) {
    throw usageError("--expected-updated-at goes with --card; use --expected-content-hash.");
  }
}
