import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { fettleInstall, serverInstall } from "./install.ts";

const { name, version } = manifest;

async function repository(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "fettle-ci-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

const pinned = (field: string) => JSON.stringify({ [field]: { [name]: version } });

describe("Fettle comes", () => {
  test.each([
    ["devDependencies, with a lockfile", "devDependencies", { "package-lock.json": "{}" }, "npm ci"],
    ["devDependencies, without one", "devDependencies", {}, "npm install"],
    ["dependencies, with a lockfile", "dependencies", { "package-lock.json": "{}" }, "npm ci"],
    ["dependencies, without one", "dependencies", {}, "npm install"],
  ])("from the manifest that names it in %s", async (_, field, lock, installFettle) => {
    const folder = await repository({ "package.json": pinned(field), ...lock });
    // Nothing is written, and nobody has anything to do first.
    expect(await fettleInstall(folder)).toEqual({ fettle: `npx --no-install ${name}`, installFettle });
  });

  test.each<[what: string, files: Record<string, string>]>([
    ["there is no manifest", {}],
    ["the manifest does not name it", { "package.json": JSON.stringify({ dependencies: { express: "5" } }) }],
    ["the manifest has no dependencies", { "package.json": "{}" }],
    [
      "the manifest only looks like it",
      { "package.json": JSON.stringify({ peerDependencies: { [name]: "1" } }) },
    ],
    ["the manifest cannot be read", { "package.json": "{ not json" }],
    ["the manifest is no object", { "package.json": "null" }],
    ["only a lockfile is there", { "package-lock.json": "{}" }],
  ])("from a packed copy where %s", async (_, files) => {
    const { files: written = [], commands = [], ...install } = await fettleInstall(await repository(files));
    expect(install).toEqual({
      fettle: `.fettle/node_modules/.bin/${name}`,
      installFettle: "npm ci --prefix .fettle --omit=optional",
    });
    expect(written.map(({ path }) => path)).toEqual([".fettle/package.json", ".fettle/.gitignore"]);
    expect(JSON.parse(written[0]!.content)).toEqual({
      private: true,
      devDependencies: { [name]: `file:${name}-${version}.tgz` },
    });
    expect(written[1]!.content).toBe("node_modules/\n");
    expect(commands).toEqual([
      expect.stringMatching(/^npm pack \/.+ --pack-destination \.fettle$/),
      "npm install --prefix .fettle --omit=optional",
    ]);
  });

  test("from the copy that is packed already, with nothing left to do", async () => {
    const install = await fettleInstall(await repository({ ".fettle/package-lock.json": "{}" }));
    expect(install).not.toHaveProperty("commands");
    expect(install.files).toHaveLength(2);
  });
});

const python = "actions/setup-python@v5";

describe("the server is installed", () => {
  test.each<[what: string, files: string[], steps: string[]]>([
    ["not at all without a file that says how", ["README.md"], []],
    ["by npm's lockfile", ["package-lock.json", "package.json"], ["npm ci"]],
    ["by npm's manifest", ["package.json"], ["npm install"]],
    [
      "by uv's lockfile, before everything else of Python",
      ["uv.lock", "pyproject.toml", "requirements.txt"],
      ["astral-sh/setup-uv@v5", "uv sync"],
    ],
    [
      "by the project file, before the requirements",
      ["pyproject.toml", "requirements.txt"],
      [python, "pip install ."],
    ],
    ["by the requirements", ["requirements.txt"], [python, "pip install -r requirements.txt"]],
    ["by the Go module", ["go.mod"], ["actions/setup-go@v5", "go build ./..."]],
    [
      "once for each language, in this order",
      ["go.mod", "requirements.txt", "package.json"],
      ["npm install", python, "pip install -r requirements.txt", "actions/setup-go@v5", "go build ./..."],
    ],
  ])("%s", async (_, files, expected) => {
    const folder = await repository(Object.fromEntries(files.map((path) => [path, ""])));
    const steps = await serverInstall(folder);
    expect(steps.map(({ uses, run }) => uses ?? run)).toEqual(expected);
  });

  test("with the versions of Python and Go that are asked for", async () => {
    const steps = await serverInstall(await repository({ "go.mod": "", "requirements.txt": "" }));
    expect(steps.flatMap((step) => (step.with ? [[step.uses, step.with]] : []))).toEqual([
      [python, { "python-version": "3.x" }],
      ["actions/setup-go@v5", { "go-version-file": "go.mod" }],
    ]);
    expect(steps.flatMap((step) => step.name ?? [])).toEqual(["Install the server", "Build the server"]);
  });
});
