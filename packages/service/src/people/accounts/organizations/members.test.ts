import { and, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { organizationMembers } from "../../../core/tables/accounts.ts";
import { signedInBrowser, type TestBrowser } from "../../../testing/browser.ts";
import {
  grant,
  makeKey,
  makeMember,
  makeOrganization,
  makePerson,
  makeProject,
} from "../../../testing/people.ts";
import { type TestService, testService } from "../../../testing/service.ts";
import { changeRole, removeMember } from "./members.ts";

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const db = () => service.app.db;

/** An organization with somebody in each role, each with a browser of their own. */
async function makeAcme() {
  const id = await makeOrganization(db());
  const userIds = {
    owner: await makeMember(db(), id, "owner"),
    admin: await makeMember(db(), id, "admin"),
    member: await makeMember(db(), id, "member"),
    guest: await makeMember(db(), id, "guest"),
  };
  const browser = async (role: keyof typeof userIds) => signedInBrowser(service, userIds[role]);
  return { id, userIds, browser };
}

const setRole = (browser: TestBrowser, organizationId: string, userId: string, role: string) =>
  browser.call(`/app/organizations/${organizationId}/members/${userId}`, { method: "PATCH", body: { role } });

const remove = (browser: TestBrowser, organizationId: string, userId: string) =>
  browser.call(`/app/organizations/${organizationId}/members/${userId}`, { method: "DELETE" });

const leave = (browser: TestBrowser, organizationId: string) =>
  browser.call(`/app/organizations/${organizationId}/leave`, { method: "POST" });

describe("an organization", () => {
  test("is made by anybody, who then owns it, and is renamed by its admins", async () => {
    const browser = await signedInBrowser(service, await makePerson(db()));
    const made = await browser.call("/app/organizations", { method: "POST", body: { name: "Analytical" } });
    expect(made).toMatchObject({
      status: 201,
      body: { name: "Analytical", myRole: "owner", isCreator: true },
    });
    const renamed = await browser.call(`/app/organizations/${made.body.id}`, {
      method: "PATCH",
      body: { name: "Engines" },
    });
    expect(renamed).toMatchObject({ status: 200, body: { id: made.body.id, name: "Engines" } });
  });

  test("keeps its name when it is no longer the one that was read", async () => {
    const { id, browser } = await makeAcme();
    const owner = await browser("owner");
    const read = async () =>
      (await owner.call("/app/bootstrap")).body.organizations.find((each: { id: string }) => each.id === id);
    const { updatedAt: expectedUpdatedAt } = await read();
    const rename = (name: string) =>
      owner.call(`/app/organizations/${id}`, { method: "PATCH", body: { name, expectedUpdatedAt } });
    expect((await rename("Hers")).status).toBe(200);
    const { name, updatedAt: currentUpdatedAt } = await read();
    expect(name).toBe("Hers");
    expect(await rename("His")).toMatchObject({
      status: 409,
      body: { details: { code: "ORGANIZATION_CHANGED", currentUpdatedAt } },
    });
    expect((await read()).name).toBe("Hers");
  });

  test("lists its people to members, and is not there for strangers", async () => {
    const { id, browser } = await makeAcme();
    const { body } = await (await browser("member")).call(`/app/organizations/${id}/members`);
    expect(body.items.map(({ role }: { role: string }) => role).sort()).toEqual([
      "admin",
      "guest",
      "member",
      "owner",
    ]);
    expect((await (await browser("guest")).call(`/app/organizations/${id}/members`)).status).toBe(403);
    const stranger = await signedInBrowser(service, await makePerson(db()));
    expect((await stranger.call(`/app/organizations/${id}/members`)).status).toBe(404);
  });
});

describe("changing a role", () => {
  test("takes effect at once", async () => {
    const { id, userIds, browser } = await makeAcme();
    const demoted = await browser("admin");
    expect((await demoted.call(`/app/organizations/${id}/invitations`)).status).toBe(200);
    const answer = await setRole(await browser("owner"), id, userIds.admin, "member");
    expect(answer).toMatchObject({ status: 200, body: { userId: userIds.admin, role: "member" } });
    expect((await demoted.call(`/app/organizations/${id}/invitations`)).status).toBe(403);
  });

  test("is for admins, and ownership for owners", async () => {
    const { id, userIds, browser } = await makeAcme();
    expect((await setRole(await browser("member"), id, userIds.guest, "member")).status).toBe(403);
    expect((await setRole(await browser("admin"), id, userIds.guest, "member")).status).toBe(200);
    expect((await setRole(await browser("admin"), id, userIds.admin, "owner")).status).toBe(403);
    expect((await setRole(await browser("admin"), id, userIds.owner, "member")).status).toBe(403);
    expect((await setRole(await browser("owner"), id, userIds.member, "owner")).status).toBe(200);
  });

  test("of somebody who does not belong reads as not found", async () => {
    const { id, browser } = await makeAcme();
    expect((await setRole(await browser("owner"), id, await makePerson(db()), "member")).status).toBe(404);
  });

  test("downwards takes back the invitations made in the higher role", async () => {
    const { id, userIds, browser } = await makeAcme();
    const invited = await (await browser("admin")).call(`/app/organizations/${id}/invitations`, {
      method: "POST",
      body: { email: "friend@example.com", role: "admin" },
    });
    await setRole(await browser("owner"), id, userIds.admin, "member");
    const { body } = await (await browser("owner")).call(`/app/organizations/${id}/invitations`);
    expect(body.items).toMatchObject([{ id: invited.body.id, status: "revoked" }]);
  });
});

describe("removing a member", () => {
  test("ends their keys and their grants in this organization, and nowhere else", async () => {
    const { id, userIds, browser } = await makeAcme();
    const elsewhere = await makeOrganization(db());
    await db()
      .insert(organizationMembers)
      .values({ organizationId: elsewhere, userId: userIds.member, role: "member" });
    const [key, otherKey] = [
      await makeKey(db(), id, userIds.member),
      await makeKey(db(), elsewhere, userIds.member),
    ];
    const project = await makeProject(db(), id, { visibility: "private" });
    await grant(db(), project, userIds.member, "admin");
    expect((await service.call(`/api/v1/projects/${project}`, { key })).status).toBe(200);

    const answer = await remove(await browser("admin"), id, userIds.member);
    expect(answer).toMatchObject({ status: 200, body: { userId: userIds.member, removed: true } });
    expect((await service.call("/api/v1/me", { key })).status).toBe(401);
    expect((await service.call("/api/v1/me", { key: otherKey })).status).toBe(200);
    const removed = await browser("member");
    expect((await removed.call(`/app/projects/${project}/members`)).status).toBe(404);
    const { body } = await (await browser("admin")).call(`/app/projects/${project}/members`);
    expect(body.items).toEqual([]);
  });

  test("is for admins, and owners are removed by owners alone", async () => {
    const { id, userIds, browser } = await makeAcme();
    expect((await remove(await browser("member"), id, userIds.guest)).status).toBe(403);
    expect((await remove(await browser("admin"), id, userIds.owner)).status).toBe(403);
  });

  test("leaves no way back through a key made at the same moment", async () => {
    const { id, userIds, browser } = await makeAcme();
    const member = await browser("member");
    const owner = await browser("owner");
    const waiting = async () => {
      const { rows } = await service.app.pool.query<{ count: number }>(
        "SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rows[0]!.count;
    };
    // Holds the removal up after it has revoked the keys there are, and before the membership is gone.
    const held = await db().transaction(async (tx) => {
      await tx.execute(sql`SELECT FROM organization_members WHERE user_id = ${userIds.member} FOR UPDATE`);
      const removal = remove(owner, id, userIds.member);
      await expect.poll(waiting).toBe(1);
      let isMade = false;
      const making = member
        .call(`/app/organizations/${id}/keys`, { method: "POST", body: { name: "late" } })
        .finally(() => {
          isMade = true;
        });
      await expect.poll(async () => isMade || (await waiting()) === 2).toBe(true);
      return { removal, making };
    });
    expect((await held.removal).status).toBe(200);
    expect((await held.making).status).toBe(404);
  });
});

describe("the last owner", () => {
  test("cannot leave, be removed or become less", async () => {
    const { id, userIds, browser } = await makeAcme();
    const owner = await browser("owner");
    const lastOwner = { status: 409, body: { details: { code: "LAST_OWNER" } } };
    expect(await leave(owner, id)).toMatchObject(lastOwner);
    expect(await remove(owner, id, userIds.owner)).toMatchObject(lastOwner);
    expect(await setRole(owner, id, userIds.owner, "admin")).toMatchObject(lastOwner);
    await setRole(owner, id, userIds.admin, "owner");
    expect(await leave(owner, id)).toMatchObject({ status: 200, body: { organizationId: id, left: true } });
  });

  test("remains however many owners leave, demote and remove each other at once", async () => {
    for (let round = 0; round < 3; round++) {
      const organizationId = await makeOrganization(db());
      const owners = await Promise.all(
        Array.from({ length: 6 }, () => makeMember(db(), organizationId, "owner")),
      );
      const next = (at: number) => owners[(at + 1) % owners.length]!;
      await Promise.allSettled(
        owners.flatMap((actorId, at) => [
          removeMember(service.app, { organizationId, actorId, targetId: actorId }),
          changeRole(service.app, { organizationId, actorId, targetId: next(at), role: "member" }),
          removeMember(service.app, { organizationId, actorId, targetId: next(at) }),
        ]),
      );
      const left = await db()
        .select()
        .from(organizationMembers)
        .where(
          and(eq(organizationMembers.organizationId, organizationId), eq(organizationMembers.role, "owner")),
        );
      expect(left.length).toBeGreaterThan(0);
    }
  });
});

describe("a grant on a project", () => {
  const at = (project: string, userId = "") => `/app/projects/${project}/members${userId && `/${userId}`}`;

  test("shows a private project to a guest, as what it says, until it is taken away", async () => {
    const { id, userIds, browser } = await makeAcme();
    const project = await makeProject(db(), id, { visibility: "private" });
    const [admin, guest] = [await browser("admin"), await browser("guest")];
    expect((await guest.call(at(project))).status).toBe(404);
    const set = await admin.call(at(project, userIds.guest), { method: "PUT", body: { role: "editor" } });
    expect(set).toMatchObject({ status: 200, body: { userId: userIds.guest, role: "editor" } });
    expect((await guest.call(at(project))).body.items).toMatchObject([
      { userId: userIds.guest, role: "editor" },
    ]);
    expect((await guest.call(at(project, userIds.guest), { method: "DELETE" })).status).toBe(403);
    await admin.call(at(project, userIds.guest), { method: "PUT", body: { role: "admin" } });
    expect((await guest.call(at(project))).body.items).toMatchObject([{ role: "admin" }]);
    expect((await admin.call(at(project, userIds.guest), { method: "DELETE" })).status).toBe(200);
    expect((await guest.call(at(project))).status).toBe(404);
    expect((await admin.call(at(project, userIds.guest), { method: "DELETE" })).status).toBe(404);
  });

  test("is not given to people outside the organization", async () => {
    const { id, browser } = await makeAcme();
    const project = await makeProject(db(), id);
    const stranger = await makePerson(db());
    const answer = await (await browser("owner")).call(at(project, stranger), {
      method: "PUT",
      body: { role: "admin" },
    });
    expect(answer.status).toBe(404);
  });
});
