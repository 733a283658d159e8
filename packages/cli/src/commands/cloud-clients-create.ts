/** @module `fettle cloud clients create`: from a template or a whole config, never both. */

import { type ClientConfig, type ClientTemplateId, clientTemplateIds } from "@fettle/contract";
import { usageError } from "../cli-error.ts";
import { inProject } from "../cloud/in-project.ts";
import { readDocument } from "../input/document.ts";
import type { Outcome } from "../output/printer.ts";
import { style, text } from "../output/text.ts";
import type { clientsCreateFlags } from "../registry/cloud-clients.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof clientsCreateFlags, NoArguments>): Promise<Outcome> {
  const { name, theme } = call.flags;
  const template = knownTemplate(call.flags.template);
  const document = await readDocument(call.input, call.flags);
  if ((template === undefined) === (document === undefined)) {
    throw usageError("Say what to make it from: --template, or a config by --file or --json.");
  }
  if (theme !== undefined && template === undefined) throw usageError("--theme goes with --template.");
  const { client, projectId } = await inProject(call);
  // The service holds the document to the contract and names what is wrong in it.
  const config = document as ClientConfig | undefined;
  const made = await client.createClient({ projectId, body: { name, template, theme, config } });
  return {
    value: made,
    human: () => text`${style.green("✓")} Created ${style.bold(made.name)} ${style.dim(`(${made.id})`)}`,
    hint: style.cyan(`fettle cloud clients get --client ${made.id}`),
  };
}

function knownTemplate(typed: string | undefined): ClientTemplateId | undefined {
  const known = clientTemplateIds.find((id) => id === typed);
  if (typed === undefined || known) return known;
  throw usageError(`--template is one of ${clientTemplateIds.join(", ")}, not "${typed}".`);
}
