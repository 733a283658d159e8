/** @module The two keys of cross-app access: the issuer's and the client's. They are made once, kept in files of mode 0600, and never leave the machine. */
import { createHash, generateKeyPair, type JsonWebKey, type KeyObject, randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { McpError } from "../failure.ts";
import { privateKeyFrom, publicJwkOf } from "../oauth/jwt.ts";

export interface SigningKey {
  privateKey: KeyObject;
  /** Public members only, with `kid`, `alg` and `use`. */
  publicJwk: JsonWebKey;
}

const files = { issuer: "xaa-issuer-key.pem", client: "xaa-client-key.pem" } as const;

/** Said in documents; the key itself is the identity. */
export const clientKeyId = "xaa-client-1";

const generate = promisify(generateKeyPair);

/** RSA, 2048 bits, named by its thumbprint. */
export async function openIssuerKey(folder: string): Promise<SigningKey> {
  const path = join(folder, files.issuer);
  return issuerKeyFrom(await readOrCreate(path, () => generate("rsa", { modulusLength: 2048 })), path);
}

/** The issuer's public key for whoever publishes it; undefined until a first run made one. */
export async function readIssuerPublicKey(folder: string): Promise<JsonWebKey | undefined> {
  const path = join(folder, files.issuer);
  const text = await readIfAny(path);
  return text === undefined ? undefined : issuerKeyFrom(text, path).publicJwk;
}

/** EC P-256, from the variable's text when there is one: a bad text is an error, never another key. */
export async function openClientKey(folder: string, given: string | undefined): Promise<SigningKey> {
  const source = given === undefined ? join(folder, files.client) : "XAA_CLIENT_PRIVATE_KEY";
  const text = given ?? (await readOrCreate(source, () => generate("ec", { namedCurve: "P-256" })));
  const privateKey = parseKey(text, source);
  if (privateKey.asymmetricKeyDetails?.namedCurve !== "prime256v1") {
    throw keyFault(`${source} holds no EC P-256 key.`);
  }
  const { kty, crv, x, y } = publicJwkOf(privateKey);
  return {
    privateKey,
    publicJwk: { kty, crv, x, y, kid: clientKeyId, alg: "ES256", use: "sig" },
  };
}

function issuerKeyFrom(text: string, path: string): SigningKey {
  const privateKey = parseKey(text, path);
  if (privateKey.asymmetricKeyType !== "rsa") throw keyFault(`${path} holds no RSA key.`);
  const { kty, n, e } = publicJwkOf(privateKey);
  const kid = createHash("sha256").update(JSON.stringify({ e, kty, n })).digest("base64url");
  return { privateKey, publicJwk: { kty, n, e, kid, alg: "RS256", use: "sig" } };
}

function parseKey(text: string, source: string): KeyObject {
  try {
    return privateKeyFrom(text);
  } catch (cause) {
    throw keyFault(`${source} is no private key that can be read.`, cause);
  }
}

function keyFault(message: string, cause?: unknown): McpError {
  return new McpError("BAD_TARGET", message, {
    cause,
    hint: "Give a private key as PEM or JWK. Without its file a new key is made, and with it a new identity.",
  });
}

async function readOrCreate(path: string, make: () => Promise<{ privateKey: KeyObject }>): Promise<string> {
  const known = await readIfAny(path);
  if (known !== undefined) return known;
  const { privateKey } = await make();
  const text = privateKey.export({ format: "pem", type: "pkcs8" }).toString();
  await mkdir(join(path, ".."), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  await writeFile(temporary, text, { mode: 0o600, flag: "wx" });
  try {
    // Of two first runs at once, one key stays and both use it.
    await link(temporary, path);
    return text;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return readFile(path, "utf8");
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function readIfAny(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
