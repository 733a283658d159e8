import { startBookshop } from "@fettle/samples";
import { expect, test, vi } from "vitest";
import { testService } from "../../testing/service.ts";
import { openSampleWorkspace } from "./workspace.ts";

test("the sample's swarm is played with no key, and its scorecard and findings name what the bookshop does badly", async () => {
  const shop = await startBookshop();
  await using service = await testService({ env: { FETTLE_LIMIT_KEY_BURST: "10000" } });
  try {
    await service.app.work();
    const { projectId, apiKey: key } = (await openSampleWorkspace(service.app, shop.url))!;
    const at = `/api/v1/projects/${projectId}`;
    // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was answered
    const get = async (path: string): Promise<any> => (await service.call(`${at}${path}`, { key })).body;
    const settled = async (wave: string) => {
      const journeys = (await get("/journeys")).items;
      expect(journeys).toHaveLength(3);
      const runs = await Promise.all(
        journeys.map(async ({ id }: { id: string }) => {
          const { items } = await get(`/journeys/${id}/runs`);
          return items.find(({ waveId }: { waveId: string }) => waveId === wave);
        }),
      );
      for (const run of runs) expect(run).toMatchObject({ status: "completed", counts: { succeeded: 3 } });
      return runs;
    };
    const runs = await vi.waitFor(() => settled("sample"), { timeout: 60_000, interval: 200 });
    const missed = async (name: string) => {
      const { id } = runs.find(({ journeyName }) => journeyName === name);
      const { criteria, sessionsGraded } = await get(`/journey-runs/${id}/scorecard`);
      expect(sessionsGraded).toBe(3);
      return criteria.flatMap(({ label, passRate }: { label: string; passRate: number }) =>
        passRate < 1 ? [label] : [],
      );
    };
    const reached = (name: string) =>
      runs.find(({ journeyName }) => journeyName === name).goalCompletion.passedCount;
    expect(reached("Look for a book")).toBe(3);
    // Words of an error that name what was asked for are no answer.
    expect(reached("Ask whether a book is there")).toBe(0);
    expect(await missed("Look for a book")).toEqual([]);
    expect(await missed("Ask whether a book is there")).toEqual(["No tool fails"]);
    expect(await missed("Find the way to a book")).toContain("shelf_info is called");
    await vi.waitFor(
      async () => {
        const { insights } = await get(`/journey-runs/${runs[0].id}`);
        expect(insights).toMatchObject({ status: "completed", coverage: { analyzed: 9, total: 9 } });
      },
      { timeout: 60_000, interval: 200 },
    );
    const { items } = await get("/journey-findings");
    expect(items).toContainEqual(
      expect.objectContaining({
        lastSeenIn: { kind: "swarm_wave", id: "sample" },
        finding: expect.objectContaining({
          title: expect.stringContaining("check_stock fails"),
          target: expect.objectContaining({ toolName: "check_stock" }),
        }),
      }),
    );
    const titles = items.map(({ finding }: { finding: { title: string } }) => finding.title);
    expect(titles).toContainEqual(expect.stringContaining("shelf_info is called"));
    // Anybody launches it again, without a key for any model.
    const again = { method: "POST", key, body: { waveId: "again" } };
    for (const { journeyId } of runs)
      expect((await service.call(`${at}/journeys/${journeyId}/runs`, again)).status).toBe(202);
    await vi.waitFor(() => settled("again"), { timeout: 60_000, interval: 200 });
  } finally {
    await shop.close();
  }
});
