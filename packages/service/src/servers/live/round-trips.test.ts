/** How often a call on a warm connection asks the database before it answers. Each time is a round trip that the caller waits for. */
import { startBookshop } from "@fettle/samples";
import pg from "pg";
import { expect, it, vi } from "vitest";
import { makeKey, makeMember, makeOrganization, makeProject } from "../../testing/people.ts";
import { testService } from "../../testing/service.ts";

it("a call on a warm connection asks the database once before it answers, and once after it", async () => {
  const queries = vi.spyOn(pg.Client.prototype, "query");
  const asked = () =>
    queries.mock.calls.map(([first]) => {
      const query = first as unknown as string | { name?: string; text?: string };
      return typeof query === "string" ? query : (query.name ?? query.text ?? "");
    });
  try {
    await using service = await testService();
    await using shop = new AsyncDisposableStack();
    const { url, close } = await startBookshop();
    shop.defer(close);
    const { db, history } = service.app;
    const organization = await makeOrganization(db);
    const key = await makeKey(db, organization, await makeMember(db, organization, "member"), {
      // When a key was last used is noted once a minute, which nobody waits for.
      lastUsedAt: new Date(Date.now() + 3_600_000),
    });
    const servers = `/api/v1/projects/${await makeProject(db, organization)}/servers`;
    const body = { name: "shop", transportType: "http", url };
    const made = await service.call(servers, { method: "POST", key, body });
    const call = () =>
      service.call(`${servers}/${made.body.id}/tools/call`, {
        method: "POST",
        key,
        body: { toolName: "search_books", parameters: { query: "swallows" } },
      });
    expect((await call()).status).toBe(200);
    await history.settle();
    // Pages are told a moment later, of many calls at once.
    const isTold = () =>
      queries.mock.calls.some(([, values]: unknown[]) => JSON.stringify(values ?? null).includes("history"));
    await vi.waitFor(() => expect(isTold()).toBe(true), { timeout: 60_000 });

    queries.mockClear();
    expect((await call()).status).toBe(200);
    await history.settle();
    expect(asked()).toEqual(["find_api_key_with_saved_server", "insert_history_entries"]);
  } finally {
    queries.mockRestore();
  }
});
