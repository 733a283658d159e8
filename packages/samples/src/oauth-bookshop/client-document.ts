/**
 * A client's metadata document on a port of its own. Its address is the client id, which must be https, so it has a certificate made at start.
 * @module
 */
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { selfSigned } from "../hostile/certificate.ts";

export interface ClientDocument {
  /** The client id. */
  url: string;
  /** To be trusted by whoever reads the document, as PEM. */
  certificate: string;
  /** Said in the document besides, or instead; for documents that are wrong. */
  also: Record<string, unknown>;
  close(): Promise<void>;
}

export async function runClientDocument(redirectUris: string[]): Promise<ClientDocument> {
  const day = 86_400_000;
  const { key, cert } = selfSigned(new Date(Date.now() - day), new Date(Date.now() + day));
  const server = createServer({ key, cert }, (_request, response) => {
    const content = {
      client_id: document.url,
      client_name: "A client with a document",
      application_type: "native",
      redirect_uris: redirectUris,
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      ...document.also,
    };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(content));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const document: ClientDocument = {
    url: `https://localhost:${(server.address() as AddressInfo).port}/client.json`,
    certificate: cert,
    also: {},
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
  return document;
}
