/**
 * The bookshop behind an authorization server that trusts the identity provider of a company (cross-app access).
 * @module
 */
import { guardShop } from "../oauth-bookshop/server.ts";
import { type ListenOptions, listen, nodeListener } from "../serve-http.ts";
import { createGrantServer, type GrantServerOptions } from "./grant-server.ts";

export interface EnterpriseBookshopOptions extends ListenOptions, Omit<GrantServerOptions, "resource"> {}

export interface EnterpriseBookshop {
  url: string;
  issuer: string;
  /** Known beforehand, without a registration. */
  client: { clientId: string; clientSecret: string };
  close(): Promise<void>;
}

export async function runEnterpriseBookshop(options: EnterpriseBookshopOptions): Promise<EnterpriseBookshop> {
  let url = "";
  let serve = async (_request: Request): Promise<Response> => new Response(null, { status: 503 });
  const http = await listen(nodeListener((request) => serve(request)));
  const server = await createGrantServer(http.origin, { ...options, resource: () => url });
  serve = server.fetch;
  const shop = await guardShop(http.origin, options);
  url = shop.url;
  return {
    url,
    issuer: http.origin,
    client: server.client,
    async close() {
      await Promise.all([shop.close(), http.close()]);
    },
  };
}
