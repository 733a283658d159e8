/** @module `fettle cloud environments update`: sends only what was said. */

import type { EnvironmentUpdateRequest } from "@fettle/contract";
import { usageError } from "../cli-error.ts";
import { environmentFields } from "../cloud/environment-fields.ts";
import { findEnvironment } from "../cloud/find-environment.ts";
import { inProject } from "../cloud/in-project.ts";
import { readDocument } from "../input/document.ts";
import type { Outcome } from "../output/printer.ts";
import { style, text } from "../output/text.ts";
import type { environmentsUpdateFlags } from "../registry/cloud-environments.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof environmentsUpdateFlags, NoArguments>): Promise<Outcome> {
  const { model, clearModel, environment, expectedRevision } = call.flags;
  if (clearModel && model !== undefined) throw usageError("Use --model or --clear-model, not both.");
  const document = await readDocument(call.input, call.flags);
  const change = {
    ...document,
    ...environmentFields(call.flags),
    ...(clearModel && { modelId: null }),
  };
  if (Object.keys(change).length === 0) throw usageError("Say what to change.");
  const { client, projectId } = await inProject(call);
  const { id: environmentId } = await findEnvironment(client, projectId, environment);
  // The service holds the document to the contract and names what is wrong in it.
  const body = { ...change, expectedRevision } as EnvironmentUpdateRequest;
  const changed = await client.updateEnvironment({ projectId, environmentId, body });
  return {
    value: changed,
    human: () =>
      text`${style.green("✓")} Updated ${style.bold(changed.name)} ${style.dim(`(${changed.id})`)}`,
  };
}
