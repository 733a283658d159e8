import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle, skillFiles } from "../../testing/bundles.ts";
import { type TestService, testService } from "../../testing/service.ts";
import { makeWorld, type PersonName, type World } from "../../testing/world.ts";

let service: TestService;
let world: World;
beforeAll(async () => {
  service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "1000" } });
  world = await makeWorld(service.app.db);
});
afterAll(() => service.close());

const inApp = (person: PersonName, method: string, path: string, body?: object) =>
  service.call(`/app/projects/${world.projectId}/skills${path}`, {
    method,
    headers: { cookie: world.people[person].cookie, "x-fettle-app": "1" },
    ...(body && { body }),
  });
const read = (person: PersonName, path = "") =>
  service.call(`/api/v1/projects/${world.projectId}/skills${path}`, { key: world.people[person].key });
const namesFor = async (person: PersonName) =>
  (await read(person)).body.items.map(({ name }: { name: string }) => name);

describe("a skill", () => {
  it("is its author's draft until shared, and says on every row whether it can be pinned", async () => {
    const made = await inApp("member", "POST", "", { files: skillFiles("greet") });
    expect([made.status, made.body]).toMatchObject([
      201,
      {
        name: "greet",
        sharing: "user",
        isOwner: true,
        content: "# greet\n\nDo it.",
        pinnability: { ok: false, code: "PERSONAL_SKILL" },
      },
    ]);
    expect(await namesFor("member")).toContain("greet");
    expect(await namesFor("admin")).not.toContain("greet");
    expect((await read("admin", `/${made.body.id}`)).status).toBe(404);
    expect((await inApp("admin", "POST", `/${made.body.id}/share`)).status).toBe(404);

    const shared = await inApp("member", "POST", `/${made.body.id}/share`);
    expect(shared.body).toMatchObject({ sharing: "project", pinnability: { ok: true } });
    expect((await read("admin", `/${made.body.id}`)).body).toMatchObject({ isOwner: false });
    expect((await inApp("editor", "DELETE", `/${made.body.id}`)).status).toBe(403);
    expect((await inApp("admin", "DELETE", `/${made.body.id}`)).body).toEqual({
      id: made.body.id,
      deleted: true,
    });
  });

  it.each([
    ["supporting files", { "ref.md": "x" }, "", "SUPPORTING_FILES"],
    ["extra front matter", {}, "license: MIT\n", "EXTRA_FRONTMATTER"],
  ])("with %s is kept, and cannot be pinned", async (_what, others, extra, code) => {
    const name = code.toLowerCase().replace("_", "-");
    const { body } = await inApp("member", "POST", "", { files: skillFiles(name, others, extra) });
    const shared = await inApp("member", "POST", `/${body.id}/share`);
    expect(shared.body.pinnability).toMatchObject({ ok: false, code });
  });

  it("changes its hash with its files", async () => {
    const made = await inApp("member", "POST", "", { files: skillFiles("edited") });
    const files = skillFiles("edited", { "more.md": "x" });
    const changed = await inApp("member", "PUT", `/${made.body.id}`, { files });
    expect(changed.status).toBe(200);
    expect(changed.body.aggregateHash).not.toBe(made.body.aggregateHash);
  });

  it("stays as it is when it is no longer what was read", async () => {
    const { body: made } = await inApp("member", "POST", "", { files: skillFiles("read") });
    const write = (text: string) =>
      inApp("member", "PUT", `/${made.id}`, {
        files: skillFiles("read", { "who.md": text }),
        expectedUpdatedAt: made.updatedAt,
      });
    const answers = await Promise.all([write("hers"), write("his")]);
    const [kept, refused] = answers.toSorted((one, other) => one.status - other.status);
    expect([kept?.status, refused?.status]).toEqual([200, 409]);
    expect(refused?.body.details).toEqual({
      code: "SKILL_CHANGED",
      currentUpdatedAt: kept?.body.updatedAt,
    });
    const { body: now } = await inApp("member", "GET", `/${made.id}/files`);
    expect(now.updatedAt).toBe(kept?.body.updatedAt);
  });

  it("is refused when it cannot be read, climbs out of its folder or has a taken name", async () => {
    const add = (files: object) => inApp("member", "POST", "", { files });
    expect((await add(bundle({ "README.md": "x" }))).body.details.code).toBe("INVALID_SKILL");
    expect((await add(skillFiles("climber", { "../../etc/x": "x" }))).body.details.code).toBe("UNSAFE_PATH");
    expect((await add({ "SKILL.md": "not base64!" })).status).toBe(400);
    const twins = await Promise.all([add(skillFiles("twin")), add(skillFiles("twin"))]);
    expect(twins.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it("gives back its files as they were written", async () => {
    const files = skillFiles("kept", { "ref/a.md": "x" }, "# a remark\nlicense: MIT\n");
    const { body } = await inApp("member", "POST", "", { files });
    const { updatedAt } = body;
    expect((await inApp("member", "GET", `/${body.id}/files`)).body).toEqual({ files, updatedAt });
    expect((await inApp("admin", "GET", `/${body.id}/files`)).status).toBe(404);
  });

  it("is checked without being kept, with the line of what is wrong", async () => {
    const check = (files: object) => inApp("member", "POST", "/check", { files });
    expect((await check(skillFiles("checked", { "a.md": "x" }))).body).toMatchObject({
      ok: true,
      name: "checked",
      pinnability: { ok: false, code: "SUPPORTING_FILES" },
    });
    const broken = bundle({ "SKILL.md": '---\nname: a\ndescription: "open\n---\n' });
    expect((await check(broken)).body).toMatchObject({
      ok: false,
      problems: [expect.stringMatching(/^SKILL.md line \d+: /)],
    });
    expect(await namesFor("member")).not.toContain("checked");
  });

  it("becomes its owner's draft again when it is no longer shared", async () => {
    const { body } = await inApp("member", "POST", "", { files: skillFiles("taken-back") });
    await inApp("member", "POST", `/${body.id}/share`);
    expect((await inApp("editor", "POST", `/${body.id}/unshare`)).status).toBe(403);
    const back = await inApp("member", "POST", `/${body.id}/unshare`);
    expect(back.body).toMatchObject({ sharing: "user", pinnability: { code: "PERSONAL_SKILL" } });
    expect((await read("editor", `/${body.id}`)).status).toBe(404);
  });

  it("is written in the app alone", async () => {
    const refused = await service.call(`/app/projects/${world.projectId}/skills`, {
      method: "POST",
      key: world.people.owner.key,
      body: { files: skillFiles("by-key") },
    });
    expect(refused.status).toBe(403);
  });
});
