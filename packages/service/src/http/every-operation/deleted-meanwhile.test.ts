import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { preparedOperation } from "../../testing/fuzz/prepared-operation.ts";
import { type TestService, testService } from "../../testing/service.ts";
import { allOperations } from "./all-operations.ts";

const writes = allOperations.filter(
  ({ built, method, access, status }) =>
    built && method === "POST" && access.kind === "project" && (status === 201 || status === 202),
);

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

describe("a project that is deleted while something is made in it", () => {
  it.each(writes.map((operation) => [operation.id, operation] as const))("%s", async (_, operation) => {
    const { world, send } = await preparedOperation(service, operation);
    const deleting = await service.app.pool.connect();
    try {
      await deleting.query("BEGIN");
      await deleting.query("DELETE FROM projects WHERE id = $1", [world.projectId]);
      let status: number | undefined;
      const sent = send().then((answered) => {
        status = answered;
      });
      // It waits for the row of the project, or was answered without.
      await vi.waitFor(
        async () => expect(status !== undefined || (await isWaiting(service))).toBe(true),
        60_000,
      );
      await deleting.query("COMMIT");
      await sent;
      // 502: the server it speaks to is out of reach.
      expect(status, "a failure of ours").toSatisfy((answered) => answered < 500 || answered === 502);
    } finally {
      deleting.release();
    }
  });
});

async function isWaiting({ app }: TestService): Promise<boolean> {
  const { rows } = await app.pool.query<{ waiting: boolean }>(
    "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock') AS waiting",
  );
  return rows[0]?.waiting ?? false;
}
