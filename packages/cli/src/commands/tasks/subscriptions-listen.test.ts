/** @module `subscriptions listen`, ended: by Ctrl-C before and after a server agreed, and by a time in which none did. */
import { startBookshop } from "@fettle/samples";
import { expect, test } from "vitest";
import { hangingServers } from "../../testing/hanging-servers.ts";
import { spawnFettle } from "../../testing/process.ts";
import { temporaryFolder, testWorld } from "../../testing/world.ts";

const listen = ["subscriptions", "listen", "--list-changed", "--format", "json"];

test("the first Ctrl-C ends it while it is still connecting", async () => {
  await using server = await hangingServers["never says a word"]();
  const asked = Promise.withResolvers<void>();
  server.onConnection?.(asked.resolve);
  const fettle = spawnFettle([...listen, ...server.flags], { cwd: await temporaryFolder() });
  await asked.promise;
  fettle.child.kill("SIGINT");
  expect(await fettle.exit).toEqual({ code: 130, signal: null });
  expect(JSON.parse(fettle.stdout())).toEqual({ event: "ended", outcome: "cancelled", notifications: 0 });
});

test("Ctrl-C is the normal end of listening, and no failure", async () => {
  const shop = await startBookshop();
  try {
    const fettle = spawnFettle([...listen, "--url", shop.url], { cwd: await temporaryFolder() });
    expect(JSON.parse(await fettle.firstLine)).toMatchObject({ event: "acknowledged" });
    fettle.child.kill("SIGINT");
    expect(await fettle.exit).toEqual({ code: 0, signal: null });
    expect(JSON.parse(fettle.stdout().trim().split("\n").at(-1)!)).toEqual({
      event: "ended",
      // A server that hears of it in time says goodbye.
      outcome: expect.stringMatching(/^(cancelled|graceful)$/),
      notifications: 0,
    });
  } finally {
    await shop.close();
  }
});

test("a duration in which nobody agreed to be listened to is a failure", async () => {
  await using server = await hangingServers["never says a word"]();
  const { fettle } = await testWorld();
  const { stdout, exitCode } = await fettle(...listen, ...server.flags, "--duration-ms", "300");
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    event: "ended",
    outcome: "error",
    error: { code: "TIMEOUT", message: expect.stringContaining("--duration-ms") },
  });
});
