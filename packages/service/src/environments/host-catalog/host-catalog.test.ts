/** @module The catalogue of hosts over the API. */
import { HostCatalog } from "@fettle/contract/environments";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeKey, makeMember, makeOrganization } from "../../testing/people.ts";
import { type TestService, testService } from "../../testing/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

it("tells what is known of sixteen hosts, to whoever has a credential", async () => {
  const { db } = service.app;
  const organization = await makeOrganization(db, "Acme");
  const key = await makeKey(db, organization, await makeMember(db, organization, "member"));
  const { status, body, headers } = await service.call("/api/v1/host-catalog", { key });
  expect([status, headers.get("cache-control")]).toEqual([200, "public, max-age=300"]);
  const { catalog, contentHash } = HostCatalog.parse(body);
  expect(catalog).toHaveLength(16);
  expect(catalog.every((host) => !("template" in host))).toBe(true);
  expect(contentHash).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect((await service.call("/api/v1/host-catalog", {})).status).toBe(401);
});
