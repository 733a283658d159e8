/** @module Invitations, as their receiver sees them. The secret of the link stays out of addresses. */
import { service } from "../../api/client.ts";

export function readInvitation(token: string, signal: AbortSignal) {
  return service.readInvitation({ body: { token } }, { signal });
}

export function acceptInvitation(token: string) {
  return service.acceptInvitation({ body: { token } });
}

export function signUp(body: { invitationToken: string; name: string; password: string }) {
  return service.signUp({ body });
}

/** Someone with an account: in, then joined. */
export async function signInAndAccept(token: string, credentials: { email: string; password: string }) {
  await service.signIn({ body: credentials });
  return acceptInvitation(token);
}
