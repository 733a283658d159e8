/** @module A connection request, as the account that made it sees it on the way. The secret of its link stays out of addresses. */
import type { ConnectionConsent } from "@fettle/contract/servers";
import { service } from "../../api/client.ts";

export function readLink(token: string, signal: AbortSignal) {
  return service.readConnectionLink({ body: { token } }, { signal });
}

export function readConsent(requestId: string, signal: AbortSignal): Promise<ConnectionConsent> {
  return service.getConnectionConsent({ requestId }, { signal });
}

export function chooseProject(requestId: string, choice: { projectId: string; serverId?: string }) {
  return service.chooseConnectionProject({ requestId, body: choice });
}

/** Makes the project first; the same key makes it once, however often the press is repeated. */
export async function chooseNewProject(
  requestId: string,
  project: { name: string; organizationId: string },
  idempotencyKey: string,
) {
  const { id } = await service.createProject({ body: project }, { idempotencyKey });
  return chooseProject(requestId, { projectId: id });
}

export async function listProjects(organizationId: string | undefined, signal: AbortSignal) {
  return (await service.listProjects({ query: organizationId ? { organizationId } : {} }, { signal })).items;
}

/** Answers where the browser goes to agree. */
export function authorize(requestId: string) {
  return service.authorizeConnection({ requestId });
}

export function validateNow(requestId: string) {
  return service.retryServerConnectionValidation({ requestId });
}

/** How many tools the connected server lists; `more` when its list goes on. */
export async function countTools(projectId: string, serverId: string, signal: AbortSignal) {
  const { items, nextCursor } = await service.listTools({ projectId, serverId, body: {} }, { signal });
  return { count: items.length, more: nextCursor !== undefined };
}
