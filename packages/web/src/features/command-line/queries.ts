/** @module A command line that asks to act as this person. */
import { service } from "../../api/client.ts";

export function readAuthorization(authorizationId: string, signal: AbortSignal) {
  return service.getCliAuthorization({ authorizationId }, { signal });
}

export function approve(authorizationId: string) {
  return service.approveCliAuthorization({ authorizationId });
}

export function deny(authorizationId: string) {
  return service.denyCliAuthorization({ authorizationId });
}
