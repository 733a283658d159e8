/** @module Two `serve` and two `work` on one PostgreSQL: one service to whoever calls it, whichever of them answers or dies. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { spawnFettle } from "../../packages/cli/src/testing/process.ts";
import { startBookshop } from "../../packages/samples/src/index.ts";
import { emptyDatabase } from "../../packages/service/src/testing/index.ts";
import { call, type Serving, signIn, startServing } from "../serving.ts";

/** `kill`: takes one of each down while jobs are under way; what they held is taken up when its lease runs out. */
export async function shareOneDatabase({ kill }: { kill: boolean }): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), "fettle-several-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const env = { DATABASE_URL: (await emptyDatabase()).reveal(), FETTLE_SECRET_KEY: "k".repeat(32) };
  const serve = (name: string, sample: boolean) => startServing({ home, name, env, sample });
  const work = async (name: string) => {
    const process = spawnFettle(["work", "--data", join(home, name)], { cwd: home, env });
    await process.untilSaid("orking");
    return process;
  };
  const one = await serve("one", true);
  const two = await serve("two", false);
  const workers = [await work("three"), await work("four")];
  const { organizationId, projectId } = one;
  const cookie = await signIn(one);

  // Revocation: made and revoked at one, dead at two at once.
  const keys = `/app/organizations/${organizationId}/keys`;
  const made = await call(one, keys, { method: "POST", cookie, body: { name: "brief" } });
  expect((await call(two, "/api/v1/me", { key: made.body.key })).status).toBe(200);
  await call(one, `${keys}/${made.body.id}`, { method: "DELETE", cookie });
  expect((await call(two, "/api/v1/me", { key: made.body.key })).status).toBe(401);

  // Limits: one bucket of ten, however the calls are spread.
  const limited = await call(one, keys, { method: "POST", cookie, body: { name: "limited" } });
  const startedAt = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      call(index % 2 === 0 ? one : two, "/api/v1/me", { key: limited.body.key }),
    ),
  );
  const allowed = answers.filter(({ status }) => status === 200).length;
  expect(allowed).toBeGreaterThanOrEqual(10);
  expect(allowed).toBeLessThanOrEqual(11 + (performance.now() - startedAt) / 1000);

  // Events: what one changes, a page at two hears.
  const heard = await follow(two, `project:${projectId}`, cookie);
  await call(one, `/api/v1/projects/${projectId}`, {
    method: "PATCH",
    cookie,
    body: { description: "Heard elsewhere" },
  });
  expect(await heard.until("event: changed")).toContain(`project:${projectId}`);
  heard.stop();

  // Jobs: connection requests go on although a server and a worker die under them.
  const shop = await startBookshop();
  onTestFinished(() => shop.close());
  const asked: string[] = [];
  for (let index = 0; index < 4; index++) {
    const body = { url: `${shop.url}?n=${index}`, projectId, name: `shop ${index}` };
    const request = await call(one, "/api/v1/server-connections", { method: "POST", cookie, body });
    expect(request.status).toBe(201);
    asked.push(request.body.connectionRequestId);
  }
  if (kill) {
    one.process.child.kill("SIGKILL");
    workers[0]!.child.kill("SIGKILL");
  }
  const statusOf = async (id: string) =>
    (await call(two, `/api/v1/server-connections/${id}`, { cookie })).body.status;
  await expect
    .poll(() => Promise.all(asked.map(statusOf)), { timeout: 90_000, interval: 500 })
    .toEqual(asked.map(() => "ready"));
  const { body } = await call(two, `/api/v1/projects/${projectId}/servers`, { cookie });
  const names = body.items
    .map(({ name }: { name: string }) => name)
    .filter((name: string) => /^shop/.test(name));
  expect(names.sort()).toEqual(["shop 0", "shop 1", "shop 2", "shop 3"]);
}

async function follow({ url }: Serving, topic: string, cookie: string) {
  const leaving = new AbortController();
  const answer = await fetch(`${url}/app/events?topics=${encodeURIComponent(topic)}`, {
    headers: { cookie },
    signal: leaving.signal,
  });
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  const until = async (words: string): Promise<string> => {
    while (!text.includes(words)) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`the stream ended before ${words}: ${text}`);
      text += value;
    }
    return text;
  };
  await until("event: hello");
  return { until, stop: () => leaving.abort() };
}
