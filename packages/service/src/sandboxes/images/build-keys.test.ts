/** An idempotency key of a build, where there is an engine and where there is none. */
import { expect, it } from "vitest";
import { startEngine } from "../../testing/examples/engine.ts";
import { type TestService, testService } from "../../testing/service.ts";
import { makeWorld } from "../../testing/world.ts";

const blueprint = `base: debian:13@sha256:${"ab".repeat(32)}\n`;

/** Asks for a build of a new image as often as one likes, always under the same key. */
async function build(service: TestService) {
  const { projectId, people } = await makeWorld(service.app.db);
  const post = (path: string, options: object) =>
    service.call(`/api/v1/projects/${projectId}/images${path}`, {
      method: "POST",
      key: people.owner.key,
      ...options,
    });
  const { body: image } = await post("", { body: { name: "Tools", blueprint } });
  return () => post(`/${image.id}/build`, { headers: { "idempotency-key": "nightly" } });
}

it("is not used up by the answer that there is no engine", async () => {
  await using service = await testService({ env: { FETTLE_SANDBOX_ENGINE: "" } });
  const ask = await build(service);
  for (const _ of [1, 2]) {
    const { status, body, headers } = await ask();
    expect([status, body.details]).toMatchObject([422, { reason: "no_sandbox_engine" }]);
    expect(headers.has("idempotency-replayed")).toBe(false);
  }
  const { rowCount } = await service.app.pool.query("SELECT 1 FROM idempotent_answers");
  expect(rowCount, "neither the claim nor the refusal is remembered").toBe(0);
});

it("starts one build, and the repetition is told of the same", async () => {
  const engine = await startEngine();
  try {
    await using service = await testService({ env: { FETTLE_SANDBOX_ENGINE: engine.socket } });
    const ask = await build(service);
    const first = await ask();
    expect(first).toMatchObject({ status: 202, body: { buildId: expect.any(String), reused: false } });
    const again = await ask();
    expect([again.status, again.body]).toEqual([202, first.body]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
  } finally {
    await engine.close();
  }
});
