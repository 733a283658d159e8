/** @module `fettle cloud plugins version`: one version, with its parts. */
import { connectCloud } from "../cloud/connection.ts";
import { outline } from "../output/outline.ts";
import type { Outcome } from "../output/printer.ts";
import type { pluginsVersionFlags } from "../registry/cloud-plugins.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof pluginsVersionFlags, NoArguments>): Promise<Outcome> {
  const { client, announce } = await connectCloud(call);
  announce("plugin version");
  const found = await client.getPluginVersion({ pluginVersionId: call.flags.versionId });
  return { value: found, human: () => outline(found) };
}
