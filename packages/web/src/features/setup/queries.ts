/** @module The first account and organization. */
import { service } from "../../api/client.ts";

export interface FirstRun {
  token: string;
  name: string;
  email: string;
  password: string;
  organizationName: string;
}

export function claimSetup(body: FirstRun) {
  return service.claimSetup({ body });
}
