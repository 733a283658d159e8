/** @module What cross-app access needs published: the issuer's documents, and the reflector that turns a key in an address into a client metadata document. */

import {
  issuerConfiguration,
  issuerKeys,
  issuerPaths,
  readIssuerPublicKey,
  readReflectedKey,
  reflectedClientMetadata,
  reflectorPath,
} from "@fettle/mcp";
import type { App } from "../../core/app.ts";
import { missing } from "../../core/routing/not-found.ts";
import type { RawCall, RawRoute } from "../../core/routing/raw-route.ts";
import { originOf } from "../../people/accounts/origin.ts";

type Publish = (call: RawCall) => Promise<unknown>;

const published: [id: string, path: string, publish: Publish][] = [
  ...issuerPaths.configuration.map((path, at): [string, string, Publish] => [
    `xaaIssuer${at + 1}`,
    path,
    publishIssuer,
  ]),
  ["xaaKeys", issuerPaths.keys, publishKeys],
  ["xaaReflector", `${reflectorPath}{key}`, reflect],
];

export const xaaRoutes: RawRoute[] = published.map(([id, path, publish]) => ({
  id,
  methods: ["GET"],
  path,
  policy: "public",
  why: "Authorization servers elsewhere read it to verify what a person's own machine signed. Only public keys are in it.",
  handle: async (call) =>
    call.reply
      .header("access-control-allow-origin", "*")
      .header("cache-control", "no-cache")
      .type("application/json")
      .send(JSON.stringify(await publish(call))),
}));

async function publishIssuer({ app, request }: RawCall): Promise<unknown> {
  await issuerKey(app);
  return issuerConfiguration(originOf(app.config, request.headers));
}

async function publishKeys({ app }: RawCall): Promise<unknown> {
  return issuerKeys(await issuerKey(app));
}

/** Read at each request: a first run makes the key while the service is up, and a deleted one is gone at once. */
async function issuerKey({ config }: App) {
  const key = await readIssuerPublicKey(config.xaaKeyFolder);
  if (key) return key;
  throw missing(
    "This machine has no cross-app access key yet.",
    "`fettle xaa run` makes one in the same FETTLE_HOME.",
  );
}

async function reflect({ app, request }: RawCall): Promise<unknown> {
  const { key: segment } = request.params as { key: string };
  const reflected = readReflectedKey(segment);
  if ("fault" in reflected) {
    throw missing(
      `No client is described here: ${reflected.fault}.`,
      "Use the address as `fettle xaa` printed it.",
    );
  }
  const clientId = `${originOf(app.config, request.headers)}${reflectorPath}${segment}`;
  return reflectedClientMetadata(clientId, reflected.key);
}
