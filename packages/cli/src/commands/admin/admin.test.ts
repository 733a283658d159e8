import { testApp, testDatabase } from "@fettle/service/testing";
import { expect, test } from "vitest";
import { execFettle } from "../../testing/process.ts";
import { temporaryFolder } from "../../testing/world.ts";

async function emptyDeployment() {
  const database = await testDatabase();
  return {
    database,
    options: { cwd: await temporaryFolder(), env: { DATABASE_URL: database.url.reveal() } },
  };
}

test("a sign-in link is printed as one object, for the address that people use", async () => {
  const { database, options } = await emptyDeployment();
  await using _ = database;
  await using app = await testApp({ database });
  await app.pool.query("INSERT INTO users (id, name, email) VALUES ('usr_1', 'Ada', 'ada@example.com')");
  const argv = ["admin", "sign-in-link", "--email", "ada@example.com"];
  const done = await execFettle([...argv, "--public-url", "https://fettle.example.com"], options);
  expect({ ...done, stdout: JSON.parse(done.stdout) }).toMatchObject({
    exitCode: 0,
    stdout: {
      email: "ada@example.com",
      url: expect.stringMatching(/^https:\/\/fettle\.example\.com\/login#token=fsl_\w{49}$/),
      expiresAt: expect.any(Number),
    },
  });
});

test("an address that nobody has is named, with the command that lists everyone", async () => {
  const { database, options } = await emptyDeployment();
  await using _ = database;
  const done = await execFettle(["admin", "end-sessions", "--email", "eve@example.com"], options);
  expect(done).toMatchObject({ stdout: "", exitCode: 1 });
  const { code, message, hint, nextCommand } = JSON.parse(done.stderr).error;
  expect(code).toBe("NOT_FOUND");
  expect(message).toContain("eve@example.com");
  expect([message, hint, nextCommand].join(" ")).toContain("fettle admin people");
});
