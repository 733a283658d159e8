import { expect, test } from "vitest";
import {
  cliAuthorizations,
  cliSessions,
  guestTokens,
  rememberedDevices,
  sessions,
  signInLinks,
  usedStates,
} from "../../core/tables/accounts.ts";
import { testApp } from "../../testing/app.ts";
import { makePerson } from "../../testing/people.ts";
import { approveAuthorization, beginAuthorization } from "./cli-login/authorization.ts";
import { mintGuestToken } from "./keys/guest-tokens.ts";
import { takeState } from "./oidc/store.ts";
import { pruneAccounts } from "./prune.ts";
import { startSession } from "./sign-in/sessions.ts";
import { createSignInLink } from "./sign-in/sign-in.ts";

const lapsing = [
  sessions,
  signInLinks,
  guestTokens,
  cliAuthorizations,
  cliSessions,
  rememberedDevices,
  usedStates,
];

test("what has lapsed is forgotten, and what has not is kept", async () => {
  let ahead = 0;
  await using app = await testApp({ now: () => Date.now() + ahead });
  const userId = await makePerson(app.db);
  const ask = async () => {
    const begun = await beginAuthorization(
      app,
      {
        client_id: "fettle-cli",
        redirect_uri: "http://127.0.0.1:49152/",
        response_type: "code",
        code_challenge: "a".repeat(43),
        code_challenge_method: "S256",
        state: "some-state",
      },
      "http://localhost",
    );
    return begun.kind === "asked" ? begun.id : "";
  };
  const plant = async () => {
    await startSession(app, userId, { ip: "127.0.0.1", headers: {} });
    await createSignInLink(app, userId);
    await mintGuestToken(app, "127.0.0.1");
    await takeState(app.db, `state ${ahead}`, new Date(app.now() + 60_000));
    await ask();
    await approveAuthorization(app, userId, await ask(), "http://localhost");
  };
  const count = async () => {
    const counts = [];
    for (const table of lapsing) counts.push((await app.db.select().from(table)).length);
    return counts;
  };

  await plant();
  await pruneAccounts(app);
  expect(await count()).toEqual([1, 1, 1, 1, 1, 1, 1]);
  ahead = 181 * 24 * 60 * 60 * 1000;
  await plant();
  expect(await count()).toEqual([2, 2, 2, 2, 2, 2, 2]);
  await pruneAccounts(app);
  expect(await count()).toEqual([1, 1, 1, 1, 1, 1, 1]);
});
