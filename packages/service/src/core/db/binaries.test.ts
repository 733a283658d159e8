import { existsSync, mkdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { completeLibraries, findBinaries } from "./binaries.ts";

test("the PostgreSQL of this machine is found whole", () => {
  const binaries = findBinaries();
  expect([binaries.initdb, binaries.postgres].every((path) => existsSync(path))).toBe(true);
});

test("a platform without binaries is told so, and what to do instead", () => {
  expect(() => findBinaries("sunos-x64")).toThrow(
    expect.objectContaining({
      code: "DATABASE_UNSUPPORTED_PLATFORM",
      hint: expect.stringContaining("DATABASE_URL"),
    }),
  );
});

test("library links that the install script did not make are made, and made only once", () => {
  const root = join(temporaryFolder(), "native");
  mkdirSync(join(root, "lib"), { recursive: true });
  writeFileSync(join(root, "lib", "libpq.so.5.18"), "");
  writeFileSync(
    join(root, "pg-symlinks.json"),
    JSON.stringify([{ source: "native/lib/libpq.so.5.18", target: "native/lib/libpq.so.5" }]),
  );
  completeLibraries(root);
  completeLibraries(root);
  expect(readlinkSync(join(root, "lib", "libpq.so.5"))).toBe("libpq.so.5.18");
});
