import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { pngOf, tgzOf, zipOf } from "../testing/archive.ts";
import { entriesOf, goodPackage } from "../testing/good.ts";
import { readArchive, readPackage } from "./read-package.ts";

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "fettle-package-"));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

test("a zip, a tgz and a folder of one package hold the same files", async () => {
  const draft = goodPackage();
  const root = await folder();
  for (const [path, content] of draft) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  const around = entriesOf(draft).map((entry) => ({ ...entry, path: `package/${entry.path}` }));
  const readings = [
    await readArchive(zipOf(entriesOf(draft))),
    await readArchive(tgzOf(around)),
    await readPackage(root),
  ];
  for (const { files, stopped, expandedBytes } of readings) {
    expect(stopped).toBeUndefined();
    expect([...files.keys()].sort()).toEqual([...draft.keys()].sort());
    expect(Buffer.from(files.get("assets/logo.png") ?? []).equals(pngOf(128))).toBe(true);
    expect(expandedBytes).toBe(readings[0]?.expandedBytes);
  }
  expect(readings.map(({ kind }) => kind)).toEqual(["zip", "tgz", "folder"]);
});

test("links are told and never followed, in a folder as in a tgz", async () => {
  const root = await folder();
  await symlink("/etc/hostname", join(root, "secret.md"));
  const ofFolder = await readPackage(root);
  const ofTgz = await readArchive(
    tgzOf([
      { path: "a.md", content: "", type: "2" },
      { path: "b.md", content: "", type: "1" },
    ]),
  );
  expect([...ofFolder.entries, ...ofTgz.entries].map(({ path, kind }) => [path, kind])).toEqual([
    ["secret.md", "symlink"],
    ["a.md", "symlink"],
    ["b.md", "symlink"],
  ]);
  expect(ofFolder.files.size).toBe(0);
});

test("a long name in a tgz is read from where it stands", async () => {
  const long = `${"deep/".repeat(40)}SKILL.md`;
  const { files } = await readArchive(
    tgzOf([
      { path: "././@LongLink", content: `${long}\0`, type: "L" },
      { path: "cut", content: "here" },
    ]),
  );
  expect([...files.keys()]).toEqual([long.replace("deep/", "")]);
});

test.each([
  ["no tar", tgzOf([]).slice(0, 12)],
  ["cut short", tgzOf([{ path: "a.md", content: "x".repeat(5_000) }]).slice(0, 60)],
])("a tgz that is %s cannot be read", async (_, bytes) => {
  expect((await readArchive(bytes)).stopped?.by).toBe("unreadable");
});

test("an archive of more than 100 MiB is not read at all", async () => {
  const path = join(await folder(), "large.zip");
  await writeFile(path, "PK");
  await truncate(path, 100 * 1024 * 1024 + 1);
  const { stopped, entries } = await readPackage(path);
  expect([stopped?.by, entries]).toEqual(["too-large", []]);
});

test("what is neither a file nor a folder is not opened", async () => {
  await expect(readPackage("/dev/zero")).rejects.toThrow("neither a file nor a folder");
});

test("a bomb is noticed while it unfolds, in little memory", async () => {
  const path = join(await folder(), "bomb.zip");
  const packed = deflateRawSync(Buffer.alloc(60 * 1024 * 1024));
  const names = Array.from({ length: 20 }, (_, at) => `bomb${at}.md`);
  await writeFile(path, zipOf(names.map((name) => ({ path: name, content: "", packed }))));
  const script = `import { readPackage } from ${JSON.stringify(join(import.meta.dirname, "read-package.ts"))};
    const idle = process.memoryUsage().rss;
    const { stopped } = await readPackage(${JSON.stringify(path)});
    console.log(JSON.stringify({ by: stopped.by, grown: process.resourceUsage().maxRSS * 1024 - idle }));`;
  const said = execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  const { by, grown } = JSON.parse(said);
  expect(by).toBe("too-large-expanded");
  // Kept pieces would be all 512 MiB; a slow machine's collector may leave a good part of them lying for a while.
  expect(grown).toBeLessThan(400 * 1024 * 1024);
});
