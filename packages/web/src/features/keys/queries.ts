/** @module API keys, per organization. The value of a new key passes through here once and is kept nowhere. */
import { queryOptions } from "@tanstack/react-query";
import { app } from "../../api/client.ts";
import { queryClient } from "../../api/queries.ts";

export const keysQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["keys", organizationId],
    queryFn: ({ signal }) => app.listApiKeys({ organizationId }, { signal }),
  });

export async function createKey(
  organizationId: string,
  body: { name: string; expiresInDays: number | null },
) {
  const created = await app.createApiKey({ organizationId, body });
  await queryClient.invalidateQueries(keysQuery(organizationId));
  return created;
}

export async function revokeKey(organizationId: string, keyId: string) {
  await app.revokeApiKey({ organizationId, keyId });
  await queryClient.invalidateQueries(keysQuery(organizationId));
}
