/** @module `fettle cloud clients update`: changes only what is said, and only what was last read. */

import type { ClientConfig, ClientSettings } from "@fettle/contract";
import { usageError } from "../cli-error.ts";
import { clientSelector } from "../cloud/client-selector.ts";
import { readSettings } from "../cloud/client-settings.ts";
import { inProject } from "../cloud/in-project.ts";
import { readDocument } from "../input/document.ts";
import type { Outcome } from "../output/printer.ts";
import { style, text } from "../output/text.ts";
import type { clientsUpdateFlags } from "../registry/cloud-clients.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof clientsUpdateFlags, NoArguments>): Promise<Outcome> {
  const selector = clientSelector(call.flags);
  const { name, expectedName, expectedConfigId, set, unset } = call.flags;
  const config = await readDocument(call.input, call.flags);
  const settings = readSettings(set, unset);
  const setsFields = Object.keys(settings).length > 0;
  if (config && setsFields) throw usageError("Use --set and --unset, or a whole config, not both.");
  if (name === undefined && !config && !setsFields) {
    throw usageError("Say what to change: --name, --set, --unset, --file or --json.");
  }
  const hint = "Run `fettle cloud clients get` and send what you read.";
  if (name !== undefined && expectedName === undefined) {
    throw usageError("--name needs --expected-name.", { hint });
  }
  if ((config || setsFields) && expectedConfigId === undefined) {
    throw usageError("A config edit needs --expected-config-id.", { hint });
  }
  const { client, projectId } = await inProject(call);
  const changed = await client.updateClient({
    projectId,
    client: selector,
    body: {
      name,
      expectedName,
      expectedConfigId,
      // The service holds both to the contract and names what is wrong in them.
      ...(config && { config: config as ClientConfig }),
      ...(setsFields && { set: settings as ClientSettings }),
    },
  });
  return {
    value: changed,
    human: () =>
      text`${style.green("✓")} Updated ${style.bold(changed.name)} ${style.dim(`(${changed.id})`)}`,
  };
}
