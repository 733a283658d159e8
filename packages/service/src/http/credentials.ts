/** @module What the HTTP layer asks of accounts: whose browser session a request carries. */
import type { IncomingHttpHeaders } from "node:http";

export interface Credentials {
  /** Null when the cookie is missing, forged, expired or its session ended. */
  readSession(request: {
    headers: IncomingHttpHeaders;
  }): Promise<{ userId: string; sessionId: string } | null>;
}
