/** @module How a workflow gets Fettle and the server: from what the repository itself pins, never by a bare name from a registry. */
import { access, readFile } from "node:fs/promises";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import type { CiPlan, Step } from "./workflow.ts";

export interface FettleInstall extends Pick<CiPlan, "fettle" | "installFettle"> {
  /** Written where they are not there: the repository names no Fettle of its own. */
  files?: { path: string; content: string }[];
  /** What a person has to do once before the workflow can run. */
  commands?: string[];
}

const ownFolder = ".fettle";

/** Where this build can be packed from: the published package, or what a checkout has built. */
const packageFolder = () =>
  import.meta.url.endsWith(".ts")
    ? join(import.meta.dirname, "..", "..", "..", "..", "dist", "fettle")
    : import.meta.dirname;

/** From the repository's manifest where it names Fettle; else from one of Fettle's own, with a packed copy beside it. */
export async function fettleInstall(cwd: string): Promise<FettleInstall> {
  const { name, version } = manifest;
  if (await namesFettle(join(cwd, "package.json"))) {
    const hasLock = await exists(join(cwd, "package-lock.json"));
    return { fettle: `npx --no-install ${name}`, installFettle: hasLock ? "npm ci" : "npm install" };
  }
  const archive = `${name}-${version}.tgz`;
  const isPacked = await exists(join(cwd, ownFolder, "package-lock.json"));
  return {
    fettle: `${ownFolder}/node_modules/.bin/${name}`,
    // Without the database's binaries: nothing that runs here needs them.
    installFettle: `npm ci --prefix ${ownFolder} --omit=optional`,
    files: [
      {
        path: `${ownFolder}/package.json`,
        content: `${JSON.stringify({ private: true, devDependencies: { [name]: `file:${archive}` } }, null, 2)}\n`,
      },
      { path: `${ownFolder}/.gitignore`, content: "node_modules/\n" },
    ],
    ...(!isPacked && {
      commands: [
        `npm pack ${packageFolder()} --pack-destination ${ownFolder}`,
        `npm install --prefix ${ownFolder} --omit=optional`,
      ],
    }),
  };
}

async function namesFettle(path: string): Promise<boolean> {
  try {
    const found: unknown = JSON.parse(await readFile(path, "utf8"));
    const { dependencies, devDependencies } = found as Record<string, Record<string, string> | undefined>;
    return manifest.name in { ...dependencies, ...devDependencies };
  } catch {
    // No manifest, or none that npm could read either.
    return false;
  }
}

/** By the file that says how a repository of that kind is installed; the first of each group that is there. */
const kinds: { file: string; steps: Step[] }[][] = [
  [
    { file: "package-lock.json", steps: [{ name: "Install the server", run: "npm ci" }] },
    { file: "package.json", steps: [{ name: "Install the server", run: "npm install" }] },
  ],
  [
    {
      file: "uv.lock",
      steps: [{ uses: "astral-sh/setup-uv@v5" }, { name: "Install the server", run: "uv sync" }],
    },
    {
      file: "pyproject.toml",
      steps: [
        { uses: "actions/setup-python@v5", with: { "python-version": "3.x" } },
        { name: "Install the server", run: "pip install ." },
      ],
    },
    {
      file: "requirements.txt",
      steps: [
        { uses: "actions/setup-python@v5", with: { "python-version": "3.x" } },
        { name: "Install the server", run: "pip install -r requirements.txt" },
      ],
    },
  ],
  [
    {
      file: "go.mod",
      steps: [
        { uses: "actions/setup-go@v5", with: { "go-version-file": "go.mod" } },
        { name: "Build the server", run: "go build ./..." },
      ],
    },
  ],
];

/** Steps that install the server from the files in the repository. */
export async function serverInstall(cwd: string): Promise<Step[]> {
  const steps: Step[] = [];
  for (const group of kinds) {
    for (const kind of group) {
      if (!(await exists(join(cwd, kind.file)))) continue;
      steps.push(...kind.steps);
      break;
    }
  }
  return steps;
}

export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
