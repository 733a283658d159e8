import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../agent/testing/scripted-model.ts";
import type { ModelRequest } from "../models/model.ts";
import { openTapes, type TapesOptions } from "./tapes.ts";

const request: ModelRequest = {
  messages: [{ role: "user", text: "hi" }],
  tools: [],
  toolChoice: "auto",
  parameters: {},
  now: 0,
  position: { prompt: 0, step: 0 },
};
const item = { caseKey: "c_1", scenarioContentHash: "0".repeat(64), model: "test/scripted", iteration: 1 };
const signal = new AbortController().signal;

test("a suite's cassettes are written at the end and found again, and a broken one is refused", async () => {
  const folder = await mkdtemp(join(tmpdir(), "fettle-tapes-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const options = {
    folder,
    suiteId: "s_1",
    fettleVersion: "0.1.0",
    recordedAt: 0,
  } satisfies Partial<TapesOptions>;
  const recording = openTapes({ ...options, mode: "record" });
  for (const iteration of [1, 2]) {
    const model = await recording.model({ ...item, iteration }, () => scriptedModel([`answer ${iteration}`]));
    await model.generate(request, { signal });
  }
  const [{ path } = { path: "" }] = await recording.save(() => new Set());
  expect(path).toMatch(/^\.fettle\/cassettes\/s_1\/c_1\.[0-9a-f]{8}\.jsonl$/);

  const playing = openTapes({ ...options, mode: "replay" });
  const never = () => {
    throw new Error("No live model is asked for.");
  };
  const second = await playing.model({ ...item, iteration: 2 }, never);
  expect((await second.generate(request, { signal })).parts).toEqual([{ type: "text", text: "answer 2" }]);
  expect(await playing.save(() => new Set([1]))).toEqual([]);

  const other = await playing.model({ ...item, model: "test/other" }, never);
  await expect(other.generate(request, { signal })).rejects.toMatchObject({ code: "CASSETTE_MISS" });

  const text = await readFile(join(folder, path), "utf8");
  await writeFile(join(folder, path), text.replace("answer 1", "answer 9"));
  const spoiled = openTapes({ ...options, mode: "replay" }).model(item, never);
  await expect(spoiled).rejects.toMatchObject({ code: "CASSETTE_INVALID" });
});
