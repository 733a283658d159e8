/** @module `fettle resources read`: one resource, whole. */
import { isObject } from "@fettle/mcp";
import { oneSpelling } from "../../connection/aliases.ts";
import { resourceText } from "../../connection/content.ts";
import { interaction } from "../../connection/interactive.ts";
import { namingNear } from "../../connection/near-offers.ts";
import { withServer } from "../../connection/open-server.ts";
import type { Outcome } from "../../output/printer.ts";
import { lines } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { resourcesReadFlags } from "./flags.ts";

export async function run(call: Call<typeof resourcesReadFlags, NoArguments>): Promise<Outcome> {
  const { flags } = call;
  const uri = oneSpelling(flags, ["resource-uri", "uri"]);
  const options = interaction(call);
  return withServer(
    call,
    async ({ connection, deadline }) => {
      const { signal } = deadline;
      const offered = async () =>
        (await connection.listResources({ signal })).items.map((resource) => resource.uri);
      const content = await namingNear("resource", uri, offered, connection.readResource(uri, { signal }));
      const contents = Array.isArray(content.contents) ? content.contents.filter(isObject) : [];
      return { value: { content }, human: () => lines(contents.map(resourceText)) };
    },
    options,
  );
}
