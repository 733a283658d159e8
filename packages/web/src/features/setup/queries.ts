/** @module The first account and organization. */
import { app } from "../../api/client.ts";

export interface FirstRun {
  token: string;
  name: string;
  email: string;
  password: string;
  organizationName: string;
}

export function claimSetup(body: FirstRun) {
  return app.claimSetup({ body });
}
