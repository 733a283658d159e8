/** @module Secrets at rest: sealed with AES-256-GCM, bound to the row they belong to, under a key that can be changed. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { Secret } from "@fettle/contract/secrets";

export interface Vault {
  /**
   * Seals a secret for one place. `place` names the row and column it will be stored in (`"servers/srv_1/headers"`), and
   * only that place can open it: a sealed value copied into another row is worthless.
   */
  seal(secret: Secret, place: string): string;
  /** Throws a VaultError when the value was altered, moved, or sealed with a key that is not known. */
  open(sealed: string, place: string): Secret;
  /** True when the value was sealed with an earlier key, and should be sealed again. */
  isOutdated(sealed: string): boolean;
  /** A key for another use (signing cookies, say) that reveals nothing of this one. */
  deriveKey(purpose: string): Buffer;
}

declare module "../app.ts" {
  interface App {
    vault: Vault;
  }
}

export class VaultError extends Error {
  readonly code: "UNKNOWN_KEY" | "ALTERED";

  constructor(code: VaultError["code"], message: string) {
    super(message);
    this.name = "VaultError";
    this.code = code;
  }
}

const version = "v1";

interface Key {
  /** Told apart by this in the envelope; says nothing about the key. */
  id: string;
  bytes: Buffer;
}

function derive(secret: Secret, purpose: string, length: number): Buffer {
  return Buffer.from(hkdfSync("sha256", secret.reveal(), "fettle", purpose, length));
}

function keyFrom(secret: Secret): Key {
  return { id: derive(secret, "vault key id", 6).toString("hex"), bytes: derive(secret, "vault", 32) };
}

/**
 * @param previous keys used before; what they sealed still opens.
 * @example
 * const sealed = vault.seal(new Secret("hunter2"), "servers/srv_1/token");
 * vault.open(sealed, "servers/srv_1/token").reveal(); // "hunter2"
 */
export function createVault(current: Secret, previous: Secret[] = []): Vault {
  const key = keyFrom(current);
  const keys = new Map([...previous.map(keyFrom), key].map((one) => [one.id, one]));
  return {
    seal: (secret, place) => {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", key.bytes, nonce);
      cipher.setAAD(associatedData(key.id, place));
      const body = Buffer.concat([cipher.update(secret.reveal(), "utf8"), cipher.final()]);
      return [version, key.id, encode(nonce), encode(Buffer.concat([body, cipher.getAuthTag()]))].join(".");
    },
    open: (sealed, place) => {
      const envelope = parseEnvelope(sealed);
      const opener = keys.get(envelope.keyId);
      if (!opener) {
        throw new VaultError(
          "UNKNOWN_KEY",
          `A stored secret was sealed with key ${envelope.keyId}, which is not set.`,
        );
      }
      const decipher = createDecipheriv("aes-256-gcm", opener.bytes, envelope.nonce, { authTagLength: 16 });
      decipher.setAAD(associatedData(opener.id, place));
      decipher.setAuthTag(envelope.tag);
      try {
        return new Secret(Buffer.concat([decipher.update(envelope.body), decipher.final()]).toString("utf8"));
      } catch {
        throw altered();
      }
    },
    isOutdated: (sealed) => parseEnvelope(sealed).keyId !== key.id,
    deriveKey: (purpose) => derive(current, `derived: ${purpose}`, 32),
  };
}

const encode = (bytes: Buffer) => bytes.toString("base64url");

function associatedData(keyId: string, place: string): Buffer {
  return Buffer.from([version, keyId, place].join("\0"), "utf8");
}

function parseEnvelope(sealed: string) {
  const [, keyId, nonce, text] = /^v1\.([0-9a-f]{12})\.([\w-]{16})\.([\w-]{22,})$/.exec(sealed) ?? [];
  if (keyId === undefined || nonce === undefined || text === undefined) throw altered();
  const bytes = Buffer.from(text, "base64url");
  // One value, one spelling: base64 would otherwise take a changed last character for the same bytes.
  if (encode(bytes) !== text) throw altered();
  return {
    keyId,
    nonce: Buffer.from(nonce, "base64url"),
    body: bytes.subarray(0, -16),
    tag: bytes.subarray(-16),
  };
}

function altered(): VaultError {
  return new VaultError("ALTERED", "A stored secret was altered, or belongs to another place.");
}
