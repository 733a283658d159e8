/** @module Ways to become signed in. Each ends with a session cookie, which scripts never see. */
import { app } from "../../api/client.ts";

export function signInWithLink(token: string) {
  return app.signInWithLink({ body: { token } });
}

/** Answers with the provider's address, where the browser goes next. */
export function startProvider(start: { providerId: string; returnTo: string; invitationToken?: string }) {
  return app.startOidcSignIn({ body: start });
}
