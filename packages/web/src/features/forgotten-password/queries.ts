/** @module A new password through a letter. */
import { service } from "../../api/client.ts";

export function askForNewPassword(email: string) {
  return service.askForNewPassword({ body: { email } });
}

export function chooseNewPassword(body: { token: string; password: string }) {
  return service.chooseNewPassword({ body });
}
