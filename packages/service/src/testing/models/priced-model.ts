/** @module Gives the stub's model a price in an organization, as `custom:paid:stub`, and its day a limit. */
import { expect } from "vitest";
import { setCapUsd } from "../../models/budget.ts";
import type { EvalBench } from "../eval-bench.ts";
import type { EvalStub } from "../eval-stub.ts";

export async function pricedModel(
  { service, world }: Pick<EvalBench, "service" | "world">,
  stub: EvalStub,
  price: { inputPerMTok: number; outputPerMTok: number },
): Promise<{ setCap(dailyCapUsd: number | null): Promise<void> }> {
  const { organizationId, people } = world;
  const answer = await service.call(`/app/organizations/${organizationId}/model-providers/custom:paid`, {
    method: "PUT",
    headers: { cookie: people.owner.cookie, "x-fettle-app": "1" },
    body: { baseUrl: new URL("/v1", stub.url).href, apiKey: "any", models: [{ model: "stub", price }] },
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return { setCap: (dailyCapUsd) => setCapUsd(service.app, organizationId, dailyCapUsd) };
}
