import { startBookshop } from "@fettle/samples";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type EvalBench, evalBench } from "../../testing/eval-bench.ts";
import { type EvalStub, startEvalStub } from "../../testing/eval-stub.ts";
import { saveServer } from "../../testing/eval-suite.ts";
import { placeOf } from "./place.ts";
import { playTurn } from "./turn.ts";

let bench: EvalBench;
let stub: EvalStub;
let stubServer: string;
let shop: Awaited<ReturnType<typeof startBookshop>>;
beforeAll(async () => {
  shop = await startBookshop();
  stub = await startEvalStub();
  bench = await evalBench(shop.url, { env: stub.env });
  stubServer = (await saveServer(bench.world, bench.service.app, stub.url)).id;
});
afterAll(async () => {
  await bench.service.close();
  await stub.close();
  await shop.close();
});

let keys = 0;
const member = () => bench.world.people.member;
const send = (body: object) =>
  bench.service.call("/api/v1/chat-sessions/messages", { method: "POST", key: member().key, body });
const made = async (path: string, body: object) => {
  const answer = await bench.call("POST", path, body, { person: "owner" });
  expect(answer.status).toBe(201);
  return answer.body.id as string;
};
const first = (over: object = {}) => ({
  projectId: bench.world.projectId,
  idempotencyKey: `key ${++keys}`,
  message: "How many?",
  modelId: stub.model,
  serverIds: [stubServer],
  toolMode: "auto" as const,
  ...over,
});
const sql = (text: string, values: unknown[] = []) => bench.service.app.pool.query(text, values);

describe("a turn is refused", () => {
  const model = "fettle/rules-1";
  it.each<[string, () => Promise<object>, number, string]>([
    [
      "in an environment that has no servers",
      async () => {
        const hostId = await made("/clients", { name: "None", config: { modelId: model, serverIds: [] } });
        const environmentId = await made("/environments", { name: "Empty", hostId });
        return first({ serverIds: undefined, environmentId });
      },
      422,
      "ENV_NO_SERVERS",
    ],
    [
      "as a client that wants a person to be asked, who is not there",
      async () => {
        const config = { modelId: model, serverIds: [stubServer], requireToolApproval: true };
        return first({ serverIds: undefined, clientId: await made("/clients", { name: "Careful", config }) });
      },
      422,
      "APPROVAL_UNSUPPORTED",
    ],
    [
      "in a conversation that has become too long",
      async () => {
        const { sessionId } = (await send(first())).body;
        await sql("UPDATE chat_sessions SET message_bytes = 9 * 1024 * 1024 WHERE id = $1", [sessionId]);
        return { sessionId, idempotencyKey: `key ${++keys}`, message: "More" };
      },
      409,
      "TRANSCRIPT_FULL",
    ],
  ])("%s", async (_what, body, status, code) => {
    expect(await send(await body())).toMatchObject({ status, body: { details: { code } } });
  });
});

it("a turn that takes too long is 504, and the same key hears the same and pays nothing", async () => {
  let asked = 0;
  stub.onModel = () => {
    asked++;
    return { fault: "silence" };
  };
  onTestFinished(() => {
    stub.onModel = () => undefined;
  });
  const body = { ...first(), maxSteps: 8 };
  const { app } = bench.service;
  const { userId } = member();
  const caller = { kind: "key", userId, organizationId: bench.world.organizationId } as Parameters<
    typeof placeOf
  >[1];
  // As the operation does, but for the minute and a half.
  const played = playTurn(
    app,
    { ...(await placeOf(app, caller, body)), userId, origin: "api", body, turnMs: 300 },
    { stop: new AbortController().signal },
  );
  await expect(played).rejects.toMatchObject({ status: 504, details: { code: "TURN_TIMEOUT" } });
  expect(await send(body)).toMatchObject({
    status: 504,
    body: { code: "TIMEOUT", details: { code: "TURN_TIMEOUT", replay: true } },
  });
  expect(asked).toBe(1);
});

it("a turn that was paid for and cannot be stored is answered all the same, and says so", async () => {
  await sql(
    `CREATE FUNCTION refuse() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION 'disk full'; END $$ LANGUAGE plpgsql`,
  );
  await sql("CREATE TRIGGER refuse BEFORE INSERT ON chat_messages FOR EACH ROW EXECUTE FUNCTION refuse()");
  onTestFinished(() => sql("DROP FUNCTION refuse CASCADE").then(() => undefined));
  const answer = await send(first());
  expect(answer).toMatchObject({
    status: 200,
    body: { reply: "Four copies.", sessionId: null, persisted: { outcome: "failed" } },
  });
  expect(answer.body.persisted).not.toHaveProperty("version");
});
