/** @module A person with a project, a key and a browser, who connects servers; for tests of connection requests. */
import { expect, vi } from "vitest";
import { signedInBrowser } from "./browser.ts";
import { makeKey, makeMember, makeOrganization, makeProject } from "./people.ts";
import type { TestService } from "./service.ts";

export async function connectingPerson(service: TestService) {
  const { db } = service.app;
  const organization = await makeOrganization(db, "Acme");
  const userId = await makeMember(db, organization, "member");
  const projectId = await makeProject(db, organization);
  const key = await makeKey(db, organization, userId);
  const browser = await signedInBrowser(service, userId);
  const path = (id: string, rest = "") => `/api/v1/server-connections/${id}${rest}`;
  const read = async (id: string) => (await service.call(path(id), { key })).body;
  return {
    organization,
    userId,
    projectId,
    key,
    browser,
    read,
    ask: (body: object) => service.call("/api/v1/server-connections", { method: "POST", key, body }),
    post: (id: string, rest: string) => service.call(path(id, rest), { method: "POST", key }),
    /** Waits until the request has come this far. */
    until: (id: string, status: string, timeout = 15_000) =>
      vi.waitFor(
        async () => {
          const request = await read(id);
          expect(request.status, JSON.stringify(request.error)).toBe(status);
          return request;
        },
        { timeout, interval: 30 },
      ),
    /** As the consent page does: sets out, and answers where the browser is sent. */
    authorize: async (id: string): Promise<string> => {
      const page = `/app/server-connections/${id}/authorize`;
      const { status, body } = await browser.call(page, { method: "POST" });
      expect(status, JSON.stringify(body)).toBe(200);
      return body.url;
    },
    /** As the callback page does: hands over what the authorization server sent the browser back with. */
    comeBack: (answer: URL) =>
      browser.call("/app/server-connections/authorized", {
        method: "POST",
        body: Object.fromEntries(answer.searchParams),
      }),
  };
}
