/** @module Writers in two processes on one PostgreSQL who all want the same: one gets it, the others are told what is there now. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { emptyDatabase } from "../../packages/service/src/testing/index.ts";
import { call, type Serving, startServing } from "../serving.ts";

export const contestedWrites =
  "two services on one database: one writer wins, one name is given once, one stack is one environment";

/** Each of the contests is held this often. */
export async function contestWrites(rounds: number): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), "fettle-contested-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const env = {
    FETTLE_SAMPLE_VISITORS: "off",
    DATABASE_URL: (await emptyDatabase()).reveal(),
    FETTLE_SECRET_KEY: "k".repeat(32),
    FETTLE_LIMIT_KEY_BURST: "10000",
  };
  const one = await startServing({ home, name: "one", env, sample: true });
  const two = await startServing({ home, name: "two", env, sample: false });
  const ask = (on: Serving, method: string, path: string, body?: object) =>
    call(on, `/api/v1/projects/${one.projectId}${path}`, { method, key: one.apiKey, ...(body && { body }) });
  /** Both processes are asked at once; the winner's answer, and the refusal of the other. */
  const contest = async (asked: (on: Serving, at: number) => ReturnType<typeof ask>) => {
    const answers = await Promise.all([one, two].map(asked));
    const won = answers.filter(({ status }) => status < 300);
    const lost = answers.filter(({ status }) => status === 409);
    expect([won.length, lost.length]).toEqual([1, 1]);
    expect(lost[0]!.body.code).toBe("CONFLICT");
    return { won: won[0]!.body, refusal: lost[0]!.body.details };
  };
  let client = (await ask(one, "POST", "/clients", { name: "Contested", template: "fettle" })).body;
  const hostId: string = client.id;

  // The same expected revision.
  let environment = (await ask(two, "POST", "/environments", { name: "Contested", hostId })).body;
  for (let round = 0; round < rounds; round++) {
    const { revision } = environment;
    const { won, refusal } = await contest((on, at) =>
      ask(on, "PATCH", `/environments/${environment.id}`, {
        expectedRevision: revision,
        description: `round ${round}, writer ${at}`,
      }),
    );
    expect(won.revision).toBe(revision + 1);
    expect(refusal).toMatchObject({ code: "ENV_REVISION_CONFLICT", currentRevision: revision + 1 });
    environment = won;
  }
  expect((await ask(one, "GET", `/environments/${environment.id}`)).body).toEqual(environment);

  // The same expected config.
  for (let round = 0; round < rounds; round++) {
    const { configId } = client;
    const { won, refusal } = await contest((on, at) =>
      ask(on, "PATCH", `/clients/${hostId}`, {
        expectedConfigId: configId,
        set: { systemPrompt: `round ${round}, writer ${at}` },
      }),
    );
    expect(refusal).toMatchObject({ code: "STALE_CONFIG_ID", currentConfigId: won.configId });
    client = won;
  }

  // The same name.
  for (let round = 0; round < rounds; round++) {
    const { refusal } = await contest((on) =>
      ask(on, "POST", "/environments", { name: `Named ${round}`, hostId }),
    );
    expect(refusal).toMatchObject({ code: "NAME_TAKEN" });
  }

  // The same stack, unnamed.
  const unnamed: string[] = [];
  for (let round = 0; round < rounds / 4; round++) {
    const stack = { hostId, modelId: `model-${round}` };
    const answers = await Promise.all(
      [one, two, one, two].map((on) => ask(on, "POST", "/environments/ensure-adhoc", stack)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const ids = new Set(answers.map(({ body }) => body.environment.id));
    expect(ids.size).toBe(1);
    expect(answers.filter(({ body }) => body.created)).toHaveLength(1);
    unnamed.push(...ids);
  }
  const [id] = unnamed as [string];
  const named = await ask(two, "POST", `/environments/${id}/name`, { name: "Kept", expectedRevision: 1 });
  expect(named.body).toMatchObject({ id, name: "Kept", modelId: "model-0" });
  const { items } = (await ask(one, "GET", "/environments?includeArchived=true")).body;
  const listed = items.map((item: { id: string }) => item.id);
  expect(unnamed.filter((each) => listed.includes(each))).toEqual([id]);
  expect(items).toHaveLength(rounds + 2);
}
