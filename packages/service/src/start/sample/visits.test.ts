import { startBookshop } from "@fettle/samples";
import { expect, test, vi } from "vitest";
import { testService } from "../../testing/service.ts";
import { openSampleWorkspace } from "./workspace.ts";

test("the sample's visitors are looked at when they have left, and what is found names the tools that want an id for a title", async () => {
  const shop = await startBookshop();
  await using service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "10000" } });
  try {
    await service.app.work();
    const { projectId, apiKey: key } = (await openSampleWorkspace(service.app, shop.url))!;
    const at = `/api/v1/projects/${projectId}`;
    const insights = await vi.waitFor(
      async () => {
        const [scenario] = (await service.call(`${at}/scenarios`, { key })).body.items;
        const { body } = await service.call(`${at}/user-testing/scenarios/${scenario?.id}`, { key });
        expect(body.insights).toMatchObject({ status: "completed" });
        return body.insights;
      },
      { timeout: 60_000, interval: 500 },
    );
    expect(insights).toMatchObject({
      reasonCode: "deterministic_only",
      coverage: { unit: "sessions", analyzed: 6, total: 6, feedbackCount: 6 },
    });
    for (const toolName of ["check_stock", "shelf_info"]) {
      expect(insights.findings).toContainEqual(
        expect.objectContaining({
          target: expect.objectContaining({ toolName }),
          observed: expect.stringContaining("in 2 of"),
          evidence: expect.arrayContaining([
            expect.objectContaining({
              excerpt: expect.stringContaining('No book has the id "The Salt Atlas"'),
            }),
          ]),
        }),
      );
    }
    expect(insights.findings.map(({ title }: { title: string }) => title)).toContainEqual(
      expect.stringContaining("visitors are not content"),
    );
  } finally {
    await shop.close();
  }
});
