/** @module A connection that signs in when it is asked to: from nothing, then for more scope, and not for ever. */
import { type ProtectedBookshop, startProtectedBookshop } from "@fettle/samples";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "../../session/connect.ts";
import { parseTarget } from "../../target.ts";
import type { Flow } from "./flow.ts";
import { type OnDemandOptions, signInOnDemand } from "./on-demand.ts";

let shop: ProtectedBookshop;
beforeAll(async () => {
  shop = await startProtectedBookshop();
});
afterAll(() => shop.close());

async function open(options: Partial<OnDemandOptions> = {}) {
  const flows: Flow[] = [];
  const connection = await connect(parseTarget({ url: shop.url }), {
    authorize: signInOnDemand({
      serverUrl: shop.url,
      authMode: "headless",
      strict: false,
      redirectUri: "http://127.0.0.1:33424/callback",
      onFlow: (flow) => flows.push(flow),
      ...options,
    }),
  });
  return { connection, flows };
}

const order = {
  orderReference: "on-demand-1",
  customer: "Ada",
  items: [{ bookId: "tin-swallows", quantity: 1 }],
  delivery: "post",
};

test("more scope is asked for when a call needs it, on top of what was granted, by the same client", async () => {
  const { connection, flows } = await open();
  await connection.callTool("list_orders", {});
  expect(flows).toHaveLength(1);
  await connection.callTool("place_order", order);
  expect(flows.map(({ gains }) => gains.scope)).toEqual([
    "books:read offline_access",
    expect.stringMatching(/books:read.*orders:write/),
  ]);
  expect(flows[1]?.gains.client).toEqual(flows[0]?.gains.client);
  expect(flows[1]?.run.steps.map(({ step }) => step)).not.toContain("request_client_registration");
  await connection.close();
});

test("a machine has nobody to ask for more", async () => {
  const { connection } = await open({
    authMode: "client_credentials",
    scopes: "books:read",
    ...shop.machineClient,
  });
  await expect(connection.callTool("place_order", order)).rejects.toThrow("nobody to ask");
  await connection.close();
});

test("a sign-in that fails says why", async () => {
  await expect(open({ registration: "preregistered", clientId: "nobody" })).rejects.toMatchObject({
    code: "OAUTH",
  });
});
