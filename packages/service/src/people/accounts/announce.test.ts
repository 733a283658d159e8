import { expect, test } from "vitest";
import { testApp } from "../../testing/app.ts";
import { makeMember, makeOrganization, makeProject } from "../../testing/people.ts";
import { revokeDevice } from "./devices.ts";
import { invite } from "./invitations/invitations.ts";
import { createApiKey } from "./keys/api-keys.ts";
import { changeRole, removeMember } from "./organizations/members.ts";
import { setGrant } from "./project-grants/project-grants.ts";
import { endSession, readSession, startSession } from "./sign-in/sessions.ts";

test("pages of whoever is concerned hear of a change once it is made, and of none that was refused", async () => {
  await using app = await testApp();
  const organizationId = await makeOrganization(app.db);
  const ownerId = await makeMember(app.db, organizationId, "owner");
  const memberId = await makeMember(app.db, organizationId, "member");
  const projectId = await makeProject(app.db, organizationId);
  const following = new AbortController();
  const topics = [`organization:${organizationId}`, `account:${memberId}`, `project:${projectId}`];
  const items = app.events.subscribe({ topics, signal: following.signal });
  expect((await items.next()).value).toMatchObject({ kind: "hello" });
  const heard = async (count: number) => {
    const found = [];
    while (found.length < count) {
      const { value } = await items.next();
      if (value.kind === "event") found.push(value.topic.split(":")[0]);
    }
    return found;
  };

  const change = { organizationId, actorId: ownerId, targetId: memberId };
  await changeRole(app, { ...change, role: "admin" });
  expect(await heard(2)).toEqual(["organization", "account"]);
  await invite(
    app,
    { organizationId, actorId: memberId, email: "new@example.com", role: "member" },
    "http://localhost",
  );
  await createApiKey(app, { organizationId, userId: memberId }, { name: "ci" });
  expect(await heard(2)).toEqual(["organization", "organization"]);
  await setGrant(app, { id: projectId, organizationId }, memberId, "editor");
  expect(await heard(2)).toEqual(["project", "account"]);

  const refused = removeMember(app, { organizationId, actorId: ownerId, targetId: ownerId });
  await expect(refused).rejects.toMatchObject({ code: "CONFLICT" });
  const [cookie] = await startSession(app, memberId, { ip: "127.0.0.1", headers: {} });
  const session = await readSession(app, { cookie });
  await revokeDevice(app, memberId, session!.sessionId);
  expect(await heard(2)).toEqual(["account", "account"]);
  const [again] = await startSession(app, memberId, { ip: "127.0.0.1", headers: {} });
  await endSession(app, (await readSession(app, { cookie: again }))!);
  expect(await heard(2)).toEqual(["account", "account"]);
  await removeMember(app, change);
  expect(await heard(2)).toEqual(["organization", "account"]);
  following.abort();
});
