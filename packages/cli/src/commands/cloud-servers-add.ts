/** @module `fettle cloud projects servers add`: from flags, a document, or both; flags win. */
import { randomUUID } from "node:crypto";
import type { ProjectServerCreateRequest } from "@fettle/contract";
import { usageError } from "../cli-error.ts";
import { inNamedProject } from "../cloud/named-project.ts";
import { serverDone } from "../cloud/saved-server.ts";
import { serverFields } from "../cloud/server-fields.ts";
import type { Outcome } from "../output/printer.ts";
import { style } from "../output/text.ts";
import type { serversAddFlags } from "../registry/cloud-servers.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof serversAddFlags, NoArguments>): Promise<Outcome> {
  const { disabled } = call.flags;
  const fields: Record<string, unknown> = {
    ...(await serverFields(call)),
    ...(disabled && { enabled: false }),
  };
  if (fields.name === undefined) throw usageError("--name is required, here or in --body.");
  if (fields.url === undefined && fields.command === undefined) {
    throw usageError("--url is required, here or in --body.", {
      hint: "For a server on this machine: `fettle cloud tunnel --server <name> -- <command>`.",
    });
  }
  const transportType = fields.url === undefined ? "stdio" : "http";
  const { client, projectId } = await inNamedProject(call);
  // The service holds the fields to the contract and names what is wrong in them.
  const body = { transportType, ...fields } as ProjectServerCreateRequest;
  const made = await client.createProjectServer({ projectId, body }, { idempotencyKey: randomUUID() });
  return {
    value: made,
    human: () => serverDone("Saved", made),
    hint:
      made.transportType === "stdio"
        ? style.cyan(`fettle cloud tunnel --server <name> -- <command>`)
        : style.cyan(`fettle cloud projects servers get --server ${made.id}`),
  };
}
