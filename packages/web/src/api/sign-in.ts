/** @module Signing in, as the sign-in page and the "session ended" sheet both do it. */
import { app } from "./client.ts";

export function signIn(credentials: { email: string; password: string }) {
  return app.signIn({ body: credentials });
}
