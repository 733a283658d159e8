/** @module A command line that asks to act as this person. */
import { app } from "../../api/client.ts";

export function readAuthorization(authorizationId: string, signal: AbortSignal) {
  return app.getCliAuthorization({ authorizationId }, { signal });
}

export function approve(authorizationId: string) {
  return app.approveCliAuthorization({ authorizationId });
}

export function deny(authorizationId: string) {
  return app.denyCliAuthorization({ authorizationId });
}
