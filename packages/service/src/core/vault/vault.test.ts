import { chmodSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Secret } from "@fettle/contract/secrets";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { findVaultKeys } from "./key.ts";
import { createVault, VaultError } from "./vault.ts";

const oldKey = new Secret("o".repeat(32));
const newKey = new Secret("n".repeat(32));
const place = "servers/srv_1/headers";

describe("the vault", () => {
  test("opens what it sealed, whatever the text", () => {
    const vault = createVault(newKey);
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (text, where) => {
        expect(vault.open(vault.seal(new Secret(text), where), where).reveal()).toBe(text.toWellFormed());
      }),
    );
  });

  test("seals the same secret differently each time, and never in the clear", () => {
    const vault = createVault(newKey);
    const sealed = [vault.seal(new Secret("canary"), place), vault.seal(new Secret("canary"), place)];
    expect(sealed[0]).not.toBe(sealed[1]);
    expect(sealed.map((text) => Buffer.from(text, "base64").toString("latin1")).join()).not.toContain(
      "canary",
    );
  });

  test("refuses a sealed value in which any character was changed", () => {
    const vault = createVault(newKey);
    const sealed = vault.seal(new Secret("a secret of some length"), place);
    for (let at = 0; at < sealed.length; at++) {
      const changed = sealed.slice(0, at) + (sealed[at] === "A" ? "B" : "A") + sealed.slice(at + 1);
      expect(() => vault.open(changed, place), `character ${at}`).toThrow(VaultError);
    }
    for (let length = 0; length < sealed.length; length++) {
      expect(() => vault.open(sealed.slice(0, length), place)).toThrow(VaultError);
    }
  });

  test("refuses a sealed value that was moved to another row", () => {
    const vault = createVault(newKey);
    const sealed = vault.seal(new Secret("x"), place);
    expect(() => vault.open(sealed, "servers/srv_2/headers")).toThrow(/belongs to another place/);
  });

  test("opens what an earlier key sealed, says that it is outdated, and seals with the current one", () => {
    const sealed = createVault(oldKey).seal(new Secret("x"), place);
    const rotated = createVault(newKey, [oldKey]);
    expect(rotated.open(sealed, place).reveal()).toBe("x");
    expect(rotated.isOutdated(sealed)).toBe(true);
    const again = rotated.seal(rotated.open(sealed, place), place);
    expect(rotated.isOutdated(again)).toBe(false);
    expect(createVault(newKey).open(again, place).reveal()).toBe("x");
    expect(() => createVault(newKey).open(sealed, place)).toThrow(/which is not set/);
  });

  test("derives keys that differ by purpose and by key", () => {
    const keys = [createVault(newKey), createVault(oldKey)].flatMap((vault) =>
      ["cookies", "links"].map((purpose) => vault.deriveKey(purpose).toString("hex")),
    );
    expect(new Set(keys).size).toBe(4);
    expect(createVault(newKey).deriveKey("cookies").toString("hex")).toBe(keys[0]);
  });
});

describe("the vault's key", () => {
  const fresh = () => ({
    dataFolder: temporaryFolder(),
    secretKey: undefined,
    previousSecretKeys: [],
  });

  test("is made once in a file only its owner can read, and found again", () => {
    const config = fresh();
    const first = findVaultKeys(config).current.reveal();
    expect(first).toHaveLength(64);
    expect(findVaultKeys(config).current.reveal()).toBe(first);
    expect(statSync(join(config.dataFolder, "secret.key")).mode & 0o777).toBe(0o600);
    expect(readdirSync(config.dataFolder)).toEqual(["secret.key"]);
  });

  test("is closed again when its file was left open to others", () => {
    const config = fresh();
    findVaultKeys(config);
    chmodSync(join(config.dataFolder, "secret.key"), 0o644);
    findVaultKeys(config);
    expect(statSync(join(config.dataFolder, "secret.key")).mode & 0o777).toBe(0o600);
  });

  test("from the environment wins, and the file's key still opens what it sealed", () => {
    const config = fresh();
    const made = findVaultKeys(config).current.reveal();
    const { current, previous } = findVaultKeys({
      ...config,
      secretKey: newKey,
      previousSecretKeys: [oldKey],
    });
    expect(current).toBe(newKey);
    expect(previous.map((key) => key.reveal())).toEqual([oldKey.reveal(), made]);
  });

  test("damaged is refused with a hint, never silently replaced", () => {
    const config = fresh();
    writeFileSync(join(config.dataFolder, "secret.key"), "");
    expect(() => findVaultKeys(config)).toThrow(/damaged/);
  });
});
