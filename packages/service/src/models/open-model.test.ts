import type { OrganizationId } from "@fettle/contract/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApp, testApp } from "../testing/app.ts";
import { makeOrganization } from "../testing/people.ts";
import { openModel } from "./open-model.ts";

let app: TestApp;
let organizationId: OrganizationId;
beforeAll(async () => {
  app = await testApp({ env: { ANTHROPIC_API_KEY: "sk-ant-operator" } });
  organizationId = await makeOrganization(app.db);
});
afterAll(() => app.stop());

const open = (name: string) =>
  openModel(app, { organizationId, projectId: null, name, source: { kind: "evalRun", id: "run_1" } });

test.each(["fettle/rules-1", "anthropic/claude-haiku-4.5"])("%s can be had", async (name) => {
  expect((await open(name)).id).toBe(name);
});

test.each([
  ["gpt-5.4-mini", "MODEL_AMBIGUOUS", null],
  ["fettle/rules-2", "MODEL_NOT_FOUND", "fettle"],
  ["constructor/x", "MODEL_NOT_FOUND", "constructor"],
  ["openai/gpt-5.4-mini", "MODEL_UNAVAILABLE", "openai"],
  ["x-ai/grok", "MODEL_UNAVAILABLE", "xai"],
  ["meta-llama/llama-4", "MODEL_UNAVAILABLE", "openrouter"],
  ["custom:vllm:qwen", "MODEL_UNAVAILABLE", "custom:vllm"],
])("%s cannot, and the refusal says what can", async (name, code, provider) => {
  await expect(open(name)).rejects.toMatchObject({
    status: 400,
    code: "VALIDATION_ERROR",
    details: { code, model: name, provider, hostedModels: expect.arrayContaining(["fettle/rules-1"]) },
  });
});
