/** @module The worked examples of CONTRIBUTING.md, each built as it is written: in a copy of the tree, by the patches of its section. */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export const run = promisify(execFile);
const root = join(import.meta.dirname, "..");

export interface BuiltExample extends AsyncDisposable {
  /** Where the copy is. */
  copy: string;
  touched: string[];
  /** What the compiler finds in some files of the copy, and in what they import. */
  compile(settings: string, files: string[]): Promise<string>;
}

export interface Example {
  patch: string;
  /** The files that it touches, in their order. */
  touched: string[];
}

/** `heading`: of its section, after "Worked example: ". */
export async function readExample(heading: string): Promise<Example> {
  const text = await readFile(join(root, "CONTRIBUTING.md"), "utf8");
  const section = text.split(/^## /m).find((one) => one.startsWith(`Worked example: ${heading}\n`));
  if (section === undefined) throw new Error(`CONTRIBUTING.md has no worked example called ${heading}`);
  const patches = [...section.matchAll(/^```diff\n(.*?)^```/gms)].map(([, patch]) => patch!);
  const touched = patches.map((patch) => /^\+\+\+ b\/(.*)$/m.exec(patch)![1]!);
  return { patch: patches.join(""), touched };
}

export async function buildExample(heading: string): Promise<BuiltExample> {
  const { patch, touched } = await readExample(heading);
  const copy = await mkdtemp(join(tmpdir(), "fettle-example-"));
  await copyTree(copy);
  await writeFile(join(copy, "example.patch"), patch);
  await run("git", ["apply", "example.patch"], { cwd: copy });
  let compiled = 0;
  return {
    copy,
    touched,
    compile: async (settings, files) => {
      compiled += 1;
      const name = `tsconfig.example-${compiled}.json`;
      await writeFile(join(copy, name), JSON.stringify({ extends: settings, files, include: [] }));
      const compiler = join(root, "node_modules/typescript/bin/tsc");
      // The compiler prints its findings on standard output, which a failed run would not show.
      return run(process.execPath, [compiler, "--checkers", "1", "-p", name], { cwd: copy }).then(
        () => "",
        (error: { stdout?: string; message: string }) => error.stdout || error.message,
      );
    },
    [Symbol.asyncDispose]: () => rm(copy, { recursive: true, force: true }),
  };
}

/** Sources are copied; what is installed is linked, except our own packages, which are those of the copy. */
async function copyTree(copy: string): Promise<void> {
  const isSource = (path: string) => !/\/(node_modules|dist)(\/|$)/.test(path.slice(root.length));
  for (const name of ["packages", "docs", "scripts", "package.json", "tsconfig.json", "vitest.config.ts"])
    await cp(join(root, name), join(copy, name), { recursive: true, filter: isSource });
  await mkdir(join(copy, "node_modules/@fettle"), { recursive: true });
  for (const name of await readdir(join(root, "node_modules")))
    if (name !== "@fettle") await symlink(join(root, "node_modules", name), join(copy, "node_modules", name));
  for (const name of await readdir(join(copy, "packages")))
    await symlink(join(copy, "packages", name), join(copy, "node_modules/@fettle", name));
  await symlink(join(root, "packages/web/node_modules"), join(copy, "packages/web/node_modules"));
}
