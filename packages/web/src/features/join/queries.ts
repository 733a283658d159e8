/** @module Invitations, as their receiver sees them. The secret of the link stays out of addresses. */
import { app } from "../../api/client.ts";

export function readInvitation(token: string, signal: AbortSignal) {
  return app.readInvitation({ body: { token } }, { signal });
}

export function acceptInvitation(token: string) {
  return app.acceptInvitation({ body: { token } });
}

export function signUp(body: { invitationToken: string; name: string; password: string }) {
  return app.signUp({ body });
}

/** Someone with an account: in, then joined. */
export async function signInAndAccept(token: string, credentials: { email: string; password: string }) {
  await app.signIn({ body: credentials });
  return acceptInvitation(token);
}
