import { createPublicKey, sign, verify } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { mintGrant } from "./grant.ts";
import { openClientKey, openIssuerKey, readIssuerPublicKey, type SigningKey } from "./keys.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fettle-xaa-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function proves({ privateKey, publicJwk }: SigningKey): boolean {
  const text = Buffer.from("signed");
  const published = createPublicKey({ key: JSON.parse(JSON.stringify(publicJwk)), format: "jwk" });
  return verify("sha256", text, published, sign("sha256", text, privateKey));
}

test("what is published of each key proves what the key signs, and is not the key", async () => {
  const keys = [await openIssuerKey(folder), await openClientKey(folder, undefined)];
  expect(keys.map(proves)).toEqual([true, true]);
  for (const { publicJwk } of keys) expect(publicJwk).not.toHaveProperty("d");
  expect(await readIssuerPublicKey(folder)).toEqual(keys[0]!.publicJwk);
  expect((await openIssuerKey(folder)).publicJwk).toEqual(keys[0]!.publicJwk);
});

test.each([
  ["an address that is known", "ana@example.com"],
  ["no address", undefined],
])("a grant claims %s", async (_, email) => {
  const key = await openIssuerKey(folder);
  const { token } = mintGrant(
    {
      issuer: "https://issuer.example",
      audience: "https://as.example",
      subject: "ana",
      clientId: "client",
      resource: "https://mcp.example",
      email,
      assertionFormat: "oidc",
      now: 1_000_000,
    },
    key,
  );
  const claims = JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString());
  expect(claims).toMatchObject({ iss: "https://issuer.example", sub: "ana", iat: 1_000, exp: 1_300 });
  expect(claims.email).toBe(email);
  expect("email" in claims).toBe(email !== undefined);
});
