/** @module Becoming signed in and out again, as several pages do it. Each way in ends with a session cookie, which scripts never see. */
import { service } from "./client.ts";

export function signIn(credentials: { email: string; password: string }) {
  return service.signIn({ body: credentials });
}

export function signInWithLink(token: string) {
  return service.signInWithLink({ body: { token } });
}

/** Answers with the provider's address, where the browser goes next. With `link`, the provider is added to the account that is signed in. */
export function startProvider(start: {
  providerId: string;
  returnTo: string;
  link: boolean;
  invitationToken?: string;
  setup?: { token: string; name: string; email: string; organizationName: string };
}) {
  return service.startOidcSignIn({ body: start });
}

export function endSession() {
  return service.signOut();
}
