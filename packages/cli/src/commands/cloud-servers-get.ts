/** @module `fettle cloud projects servers get`: one saved server. */
import { inNamedProject } from "../cloud/named-project.ts";
import { findServer, serverFacts } from "../cloud/saved-server.ts";
import type { Outcome } from "../output/printer.ts";
import type { serversGetFlags } from "../registry/cloud-servers.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof serversGetFlags, NoArguments>): Promise<Outcome> {
  const server = await findServer(await inNamedProject(call), call.flags.server);
  return { value: server, human: () => serverFacts(server) };
}
