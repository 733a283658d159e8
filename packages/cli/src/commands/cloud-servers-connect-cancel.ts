/** @module `fettle cloud projects servers connect-cancel`: ends a connection request; one that has ended stays as it is. */
import { connectCloud } from "../cloud/connection.ts";
import { requestText } from "../cloud/connection-request.ts";
import type { Outcome } from "../output/printer.ts";
import type { connectCancelFlags } from "../registry/cloud-servers.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof connectCancelFlags, NoArguments>): Promise<Outcome> {
  const { client, announce } = await connectCloud(call);
  announce("connection request");
  const request = await client.cancelServerConnection({ requestId: call.flags.request });
  return { value: request, human: () => requestText(request) };
}
