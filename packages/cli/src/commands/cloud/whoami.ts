/** @module `fettle cloud whoami`: the account behind the credential in use. */
import { reachDeployment } from "../../cloud/reach-deployment.ts";
import type { Outcome } from "../../output/printer.ts";
import { facts } from "../../output/table.ts";
import { style } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { noFlags } from "../../program/shared-flags.ts";

export async function run(call: Call<typeof noFlags, NoArguments>): Promise<Outcome> {
  const { client, credential, apiUrl } = await reachDeployment(call);
  const { id, email, name, plan } = await client.getMe();
  return {
    value: { id, email, name, ...(plan && { plan }), credential: credential.kind },
    human: () =>
      facts([
        ["Name", style.bold(name)],
        ["Email", email],
        ["Plan", plan ?? undefined],
        ["Credential", credential.kind === "api-key" ? "API key" : "login"],
        ["Deployment", apiUrl],
        ["Id", id],
      ]),
  };
}
