import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { organizationMembers, organizations, setupTokens, users } from "../../../core/tables/accounts.ts";
import { testBrowser } from "../../../testing/browser.ts";
import { type TestService, testService } from "../../../testing/service.ts";
import { claimSetup, prepareSetup } from "./setup.ts";

let service: TestService;
beforeEach(async () => {
  service = await testService();
});
afterEach(() => service.close());

const first = {
  name: "Ada",
  email: "ada@example.com",
  password: "correct horse battery",
  organizationName: "Acme",
};
const claim = (token: string, change: object = {}) =>
  testBrowser(service).call("/app/setup", { method: "POST", body: { token, ...first, ...change } });

describe("the setup token", () => {
  test("is in a file only its owner can read, and in the database as a hash only", async () => {
    const token = (await prepareSetup(service.app))!.reveal();
    const file = join(service.app.config.dataFolder, "setup-token");
    expect(await readFile(file, "utf8")).toBe(token);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.stringify(await service.app.db.select().from(setupTokens))).not.toContain(token);
  });

  test("stays the same over a restart, so that a printed link keeps working", async () => {
    const [before, after] = [await prepareSetup(service.app), await prepareSetup(service.app)];
    expect(after?.reveal()).toBe(before?.reveal());
  });

  test("is one of several when several processes print their own, and each of them works", async () => {
    const one = (await prepareSetup(service.app))!.reveal();
    await using other = await testServiceOnSameDatabase();
    const two = (await prepareSetup(other.app))!.reveal();
    expect(two).not.toBe(one);
    expect((await claim(one)).status).toBe(201);
    expect((await claim(two)).status).toBe(404);
  });
});

describe("claiming", () => {
  test("makes the first account and organization, and signs in", async () => {
    const token = (await prepareSetup(service.app))!.reveal();
    const browser = testBrowser(service);
    expect((await browser.call("/app/bootstrap")).body).toMatchObject({ setupNeeded: true, user: null });
    const answer = await browser.call("/app/setup", { method: "POST", body: { token, ...first } });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ user: { email: first.email, hasPassword: true } });
    expect((await browser.call("/app/bootstrap")).body).toMatchObject({
      setupNeeded: false,
      user: { email: first.email },
      organizations: [{ id: answer.body.organizationId, name: "Acme", role: "owner" }],
    });
  });

  test("with a wrong token is refused, and changes nothing", async () => {
    await prepareSetup(service.app);
    expect((await claim("fsu_guess")).status).toBe(401);
    expect(await service.app.db.select().from(users)).toEqual([]);
  });

  test("is gone afterwards: the same token, another one and no token all read as not found", async () => {
    const token = (await prepareSetup(service.app))!.reveal();
    await claim(token);
    expect((await claim(token)).status).toBe(404);
    expect((await claim("anything")).status).toBe(404);
    expect(await prepareSetup(service.app)).toBeUndefined();
    await expect(stat(join(service.app.config.dataFolder, "setup-token"))).rejects.toThrow("ENOENT");
  });

  test("twenty times at once has one winner, who alone has an account", async () => {
    const token = (await prepareSetup(service.app))!.reveal();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        claimSetup(service.app, {
          token,
          name: `Claimant ${at}`,
          email: `claimant${at}@example.com`,
          organizationName: `Organization ${at}`,
        }).then(
          (made) => made,
          (error) => error.code,
        ),
      ),
    );
    expect(answers.filter((answer) => typeof answer === "object")).toHaveLength(1);
    expect(answers.filter((answer) => answer === "NOT_FOUND")).toHaveLength(19);
    const { db } = service.app;
    expect(await db.select().from(users)).toHaveLength(1);
    expect(await db.select().from(organizations)).toHaveLength(1);
    expect(await db.select().from(organizationMembers)).toHaveLength(1);
  });
});

function testServiceOnSameDatabase() {
  const { database } = service.app.config;
  if (database.kind !== "external") throw new Error("tests run on a database of the test server");
  return testService({ env: { DATABASE_URL: database.url.reveal() } });
}
