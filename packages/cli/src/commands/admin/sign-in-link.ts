/** @module `fettle admin sign-in-link`: a way in for somebody who has none. */
import { withAdmin } from "../../admin/with-admin.ts";
import type { Outcome } from "../../output/printer.ts";
import { lines, style, text } from "../../output/text.ts";
import type { Call, NoArguments } from "../../program/command.ts";
import type { signInLinkFlags } from "./flags.ts";

export async function run({
  flags,
  world,
  print,
}: Call<typeof signInLinkFlags, NoArguments>): Promise<Outcome> {
  const { data, publicUrl, email: typed, forgetPassword } = flags;
  const { isServing, ...made } = await withAdmin(world, { data, publicUrl }, (admin) =>
    admin.makeSignInLink({ email: typed, forgetPassword }),
  );
  const { email, url, expiresAt } = made;
  if (!isServing) {
    print.warn(
      `No service runs on this data folder. Start it before the link lapses, at ${new URL(url).origin}.`,
    );
  }
  return {
    value: made,
    human: () =>
      lines([
        text`${style.green("✓")} ${style.bold("A sign-in link for")} ${email}`,
        "",
        text`  ${style.cyan(url)}`,
        "",
        style.dim(`Works once, until ${new Date(expiresAt).toLocaleTimeString("en-GB")}.`),
        ...(forgetPassword
          ? [style.dim("Their password is forgotten: they set a new one under Account, Profile.")]
          : []),
      ]),
  };
}
