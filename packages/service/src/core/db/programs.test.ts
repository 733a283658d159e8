import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { binariesIn, findBinaries, type PostgresBinaries } from "./binaries.ts";
import { reachablePrograms } from "./programs.ts";

const nobody = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;
const installed = findBinaries();

/** PostgreSQL as installed, in a folder of the given mode. */
function installation(mode: number): PostgresBinaries {
  const top = temporaryFolder();
  chmodSync(top, mode);
  execFileSync("cp", ["-a", installed.root, join(top, "native")]);
  return binariesIn(join(top, "native"));
}

/** The same shape and next to no bytes, for what concerns the copying alone. */
function smallInstallation(): PostgresBinaries {
  const small = binariesIn(join(temporaryFolder(), "native"));
  mkdirSync(join(small.root, "bin"), { recursive: true });
  mkdirSync(join(small.root, "lib"));
  for (const program of [small.postgres, small.initdb])
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o700 });
  writeFileSync(join(small.root, "lib", "libpq.so.5.18"), "library", { mode: 0o600 });
  symlinkSync("libpq.so.5.18", join(small.root, "lib", "libpq.so"));
  return small;
}

/** As /var/cache is: root's alone, and open to everybody. */
function place(): string {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  return join(folder, "fettle");
}

function canMakeCluster({ initdb }: PostgresBinaries): boolean {
  const folder = temporaryFolder();
  chownSync(folder, nobody.uid, nobody.gid);
  const args = [`--pgdata=${folder}`, "--username=x", "--auth=trust", "--no-sync", "--locale=C"];
  return spawnSync(initdb, args, { ...nobody, cwd: "/" }).status === 0;
}

describe.runIf(isRoot)("PostgreSQL's programs", () => {
  test("stay where they are when the user who runs them can read them, or is ourselves", () => {
    const small = smallInstallation();
    expect(reachablePrograms(small, undefined, [])).toEqual(small);
    execFileSync("chmod", ["-R", "a+rX", join(small.root, "..")]);
    expect(reachablePrograms(small, nobody, [])).toEqual(small);
  });

  test("are copied once from a folder that is closed to that user, and work from there", () => {
    const closed = installation(0o700);
    expect(canMakeCluster(closed)).toBe(false);
    const there = place();
    const copy = reachablePrograms(closed, nobody, [there]);
    expect(copy.root.startsWith(there)).toBe(true);
    expect(canMakeCluster(copy)).toBe(true);
    expect(reachablePrograms(closed, nobody, [there])).toEqual(copy);
    expect(readdirSync(there)).toHaveLength(1);
  });

  test("are copied when only a file among them is closed, as a strict umask leaves them", () => {
    const open = installation(0o755);
    chmodSync(join(open.root, "share", "postgresql", "postgres.bki"), 0o600);
    expect(canMakeCluster(open)).toBe(false);
    expect(canMakeCluster(reachablePrograms(open, nobody, [place()]))).toBe(true);
  });

  test.each<[string, (copy: string) => void]>([
    ["a file of another user's", (copy) => chownSync(join(copy, "bin", "postgres"), nobody.uid, nobody.gid)],
    ["a file that others may write", (copy) => chmodSync(join(copy, "bin", "postgres"), 0o757)],
    ["a folder that others may write", (copy) => chmodSync(join(copy, "lib"), 0o777)],
    ["a file that was not finished", (copy) => writeFileSync(join(copy, "bin", "initdb"), "")],
    ["a file too many", (copy) => writeFileSync(join(copy, "lib", "libevil.so"), "")],
  ])("are copied again over %s", (_, spoil) => {
    const closed = smallInstallation();
    const there = place();
    const copy = reachablePrograms(closed, nobody, [there]);
    spoil(copy.root);
    expect(reachablePrograms(closed, nobody, [there])).toEqual(copy);
    expect(readdirSync(there)).toEqual([copy.root.slice(there.length + 1)]);
    expect(existsSync(join(copy.root, "lib", "libevil.so"))).toBe(false);
    expect(readFileSync(join(copy.root, "lib", "libpq.so"), "utf8")).toBe("library");
  });

  test.each<[string, (there: string) => void]>([
    [
      "another user owns",
      (there) => {
        mkdirSync(there);
        chownSync(there, nobody.uid, nobody.gid);
      },
    ],
    [
      "others may write to",
      (there) => {
        mkdirSync(there);
        chmodSync(there, 0o777);
      },
    ],
    ["leads elsewhere", (there) => symlinkSync(temporaryFolder(), there)],
    [
      "others may swap for another",
      (there) => {
        mkdirSync(there);
        chmodSync(join(there, ".."), 0o777);
      },
    ],
    ["is closed", (there) => mkdirSync(there, { mode: 0o700 })],
    ["is a file", (there) => writeFileSync(there, "")],
  ])("are never put into a place that %s", (_, plant) => {
    const closed = smallInstallation();
    const planted = place();
    plant(planted);
    const good = place();
    expect(reachablePrograms(closed, nobody, [planted, good]).root.startsWith(good)).toBe(true);
    expect(() => reachablePrograms(closed, nobody, [planted])).toThrow(
      expect.objectContaining({
        code: "DATABASE_UNREACHABLE_FOLDER",
        hint: expect.stringContaining("DATABASE_URL"),
      }),
    );
  });
});
