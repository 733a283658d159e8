/** @module `fettle cloud environments create`: from flags, a document, or both; flags win. */

import type { EnvironmentCreateRequest } from "@fettle/contract";
import { usageError } from "../cli-error.ts";
import { environmentFields } from "../cloud/environment-fields.ts";
import { inProject } from "../cloud/in-project.ts";
import { readDocument } from "../input/document.ts";
import type { Outcome } from "../output/printer.ts";
import { style, text } from "../output/text.ts";
import type { environmentsCreateFlags } from "../registry/cloud-environments.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof environmentsCreateFlags, NoArguments>): Promise<Outcome> {
  const document = await readDocument(call.input, call.flags);
  const body = { ...document, ...environmentFields(call.flags) };
  if (body.name === undefined) throw usageError("--name is required, here or in the document.");
  if (body.hostId === undefined) throw usageError("--host-id is required, here or in the document.");
  const { client, projectId } = await inProject(call);
  // The service holds the document to the contract and names what is wrong in it.
  const made = await client.createEnvironment({ projectId, body: body as EnvironmentCreateRequest });
  return {
    value: made,
    human: () => text`${style.green("✓")} Created ${style.bold(made.name)} ${style.dim(`(${made.id})`)}`,
    hint: style.cyan(`fettle cloud environments resolve --environment ${made.id}`),
  };
}
