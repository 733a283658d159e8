import { execFile } from "node:child_process";
import { lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { refuseOutOverInput, writeOutFile } from "../output/out-file.ts";
import { temporaryFolder } from "../testing/world.ts";
import { writeAtomically } from "./atomic-write.ts";

test("folders on the way are made, and the file is readable by all unless said", async () => {
  const folder = await temporaryFolder();
  await writeAtomically(join(folder, "a", "b", "report.json"), "{}");
  expect(await readFile(join(folder, "a", "b", "report.json"), "utf8")).toBe("{}");
  expect((await stat(join(folder, "a", "b", "report.json"))).mode & 0o777).toBe(0o644);
});

test.runIf(process.platform === "linux")(
  "where no folder can be made it fails, and does not try for ever",
  async () => {
    await expect(writeAtomically("/proc/none/report.json", "{}")).rejects.toThrow("ENOENT");
  },
);

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

test.each([
  ["a link", "real.json"],
  ["a link whose file is not there yet", "later.json"],
])("%s stays one, and the file behind it is written", async (_, name) => {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "kept"));
  await writeFile(join(folder, "kept", "real.json"), "old");
  await symlink(join("kept", name), join(folder, "link.json"));
  await writeAtomically(join(folder, "link.json"), "new");
  expect((await lstat(join(folder, "link.json"))).isSymbolicLink()).toBe(true);
  expect(await readFile(join(folder, "kept", name), "utf8")).toBe("new");
});

test("a pipe is written to, and stays a pipe", async () => {
  const folder = await temporaryFolder();
  const pipe = join(folder, "pipe");
  await promisify(execFile)("mkfifo", [pipe]);
  const [read] = await Promise.all([readFile(pipe, "utf8"), writeAtomically(pipe, "through")]);
  expect(read).toBe("through");
  expect((await lstat(pipe)).isFIFO()).toBe(true);
});

test("--out refuses what the command reads, by any name, and nothing else", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "suite.yaml"), "a");
  await writeFile(join(folder, "other.yaml"), "b");
  await symlink("suite.yaml", join(folder, "link.yaml"));
  for (const out of ["suite.yaml", "./suite.yaml", "link.yaml", join(folder, "suite.yaml")]) {
    await expect(refuseOutOverInput({ cwd: folder }, out, ["-", undefined, "suite.yaml"])).rejects.toThrow(
      expect.objectContaining({ code: "USAGE_ERROR", exitCode: 2 }),
    );
  }
  for (const out of [undefined, "other.yaml", "new.yaml", "/dev/null"]) {
    await refuseOutOverInput({ cwd: folder }, out, ["suite.yaml", "/dev/null", "missing.yaml"]);
  }
});
