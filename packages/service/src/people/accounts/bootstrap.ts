/** @module What the pages ask first: who is in front of them, and how one gets in. */
import type { Bootstrap } from "@fettle/contract/people";
import type { App } from "../../core/app.ts";
import type { Caller } from "../../core/routing/bind.ts";
import { version } from "../../core/version.ts";
import { providerId as oidcProviderId } from "./oidc/provider.ts";
import { listOrganizations } from "./organizations/store.ts";
import { sampleEmail } from "./sample-account.ts";
import { isSetupNeeded } from "./setup/setup.ts";
import { readPerson, signedInUser } from "./sign-in/sign-in.ts";
import { findPersonByEmail } from "./sign-in/store.ts";

export async function readBootstrap(app: App, caller: Caller): Promise<Bootstrap> {
  const { methods, oidc } = app.config.signIn;
  const ways = {
    password: methods.includes("password"),
    passwordLetters: methods.includes("password") && app.config.mail !== undefined,
    oidc: oidc ? [{ id: oidcProviderId, label: oidc.name }] : [],
  };
  const general = { mode: "hosted" as const, version };
  if (caller.kind !== "session") {
    const sample = await findPersonByEmail(app.db, sampleEmail);
    return {
      ...general,
      signIn: { ...ways, sampleEmail: sample && !sample.hasPassword ? sampleEmail : null },
      setupNeeded: await isSetupNeeded(app),
      user: null,
      organizations: [],
    };
  }
  const [person, organizations] = await Promise.all([
    readPerson(app, caller.userId),
    listOrganizations(app.db, caller.userId),
  ]);
  return {
    ...general,
    signIn: { ...ways, sampleEmail: null },
    setupNeeded: false,
    user: signedInUser(person),
    organizations: organizations.map(({ id, name, role, updatedAt }) => ({
      id,
      name,
      role,
      updatedAt: updatedAt.getTime(),
    })),
  };
}
