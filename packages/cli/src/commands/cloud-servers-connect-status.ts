/** @module `fettle cloud projects servers connect-status`: how far a connection request has come. */
import { connectCloud } from "../cloud/connection.ts";
import { requestText } from "../cloud/connection-request.ts";
import type { Outcome } from "../output/printer.ts";
import type { connectStatusFlags } from "../registry/cloud-servers.ts";
import type { Call, NoArguments } from "../registry/command.ts";

export async function run(call: Call<typeof connectStatusFlags, NoArguments>): Promise<Outcome> {
  const { client, announce } = await connectCloud(call);
  announce("connection request");
  const request = await client.getServerConnection({ requestId: call.flags.request });
  return { value: request, human: () => requestText(request) };
}
