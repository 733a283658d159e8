import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeOutFile } from "../output/out-file.ts";
import { temporaryFolder } from "../testing/world.ts";
import { writeAtomically } from "./atomic-write.ts";

test("folders on the way are made, and the file is readable by all unless said", async () => {
  const folder = await temporaryFolder();
  await writeAtomically(join(folder, "a", "b", "report.json"), "{}");
  expect(await readFile(join(folder, "a", "b", "report.json"), "utf8")).toBe("{}");
  expect((await stat(join(folder, "a", "b", "report.json"))).mode & 0o777).toBe(0o644);
});

test("many writers at once leave one whole file and nothing else", async () => {
  const folder = await temporaryFolder();
  const contents = Array.from({ length: 20 }, (_, index) => String(index).repeat(100_000));
  await Promise.all(contents.map((content) => writeAtomically(join(folder, "file"), content)));
  expect(contents).toContain(await readFile(join(folder, "file"), "utf8"));
  expect(await readdir(folder)).toEqual(["file"]);
});

test("a write that fails leaves the old file and no temporary one", async () => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "target"));
  await writeFile(join(folder, "target", "kept"), "old");
  await expect(writeAtomically(join(folder, "target"), "new")).rejects.toThrow();
  expect(await readdir(folder)).toEqual(["target"]);
  await expect(writeOutFile({ cwd: folder }, "target", "new")).rejects.toThrow(
    expect.objectContaining({ code: "OPERATIONAL_ERROR", exitCode: 1 }),
  );
});
