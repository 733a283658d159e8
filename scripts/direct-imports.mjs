// An esbuild plugin: looks through a package's doors. `import { a } from "@fettle/contract/core"` becomes an import of the file that
// holds `a`. The bundler assigns whole files to chunks by what they import, so one name taken through an `index.ts` would
// otherwise bring the whole package, validator included, into the chunk that every command loads.
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";

/** `also`: what else is rewritten in our sources; a file has only one loader. */
export function directImports(root, also = (source) => source) {
  const doors = new Map();
  const doorOf = (name) => {
    if (!doors.has(name)) {
      const entry = entryOf(root, name);
      doors.set(name, entry === undefined ? new Map() : readDoor(dirname(join(root, entry))));
    }
    return doors.get(name);
  };
  return {
    name: "direct-imports",
    setup(build) {
      build.onLoad({ filter: /[\\/]packages[\\/][a-z]+[\\/]src[\\/].*\.ts$/ }, async ({ path }) => ({
        contents: also(rewrite(await readFile(path, "utf8"), doorOf), path),
        loader: "ts",
      }));
      build.onLoad({ filter: /[\\/]node_modules[\\/]commander[\\/].*\.js$/ }, async ({ path }) => ({
        contents: builtinsTaken(await readFile(path, "utf8")),
      }));
      build.onLoad({ filter: /[\\/]node_modules[\\/]@ai-sdk[\\/].*\.js$/ }, async ({ path }) => ({
        contents: validatorTaken(await readFile(path, "utf8")),
      }));
    },
  };
}

/** The file behind `@fettle/contract/core`, from the root; undefined for a package that only a text speaks of. */
export function entryOf(root, name) {
  const [, own, sub = ""] = /^@fettle\/([\w-]+)(\/.*)?$/.exec(name);
  const manifest = join(root, "packages", own, "package.json");
  if (!existsSync(manifest)) return undefined;
  const file = JSON.parse(readFileSync(manifest, "utf8")).exports[`.${sub}`];
  return file === undefined ? undefined : posix.join("packages", own, file);
}

/** Name to file, from the `export { … } from "./file.ts"` lines that a door consists of. */
export function readDoor(folder) {
  const index = join(folder, "index.ts");
  const door = new Map();
  if (!existsSync(index)) return door;
  const exports = readFileSync(index, "utf8").matchAll(/^export \{([^}]*)\} from "(\.[^"]+)";/gm);
  for (const [, names, file] of exports) {
    for (const { imported, local } of specifiers(names))
      door.set(local, { imported, file: join(folder, file) });
  }
  return door;
}

function rewrite(source, doorOf) {
  const direct = source.replace(/^import \{([^}]*)\} from "(@fettle\/[a-z/-]+)";/gm, (whole, names, name) => {
    const door = doorOf(name);
    const wanted = specifiers(names);
    if (wanted.some(({ imported }) => !door.has(imported))) return whole;
    return wanted
      .map(({ imported, local }) => {
        const held = door.get(imported);
        return `import { ${held.imported} as ${local} } from ${JSON.stringify(held.file)};`;
      })
      .join(" ");
  });
  return builtinsTaken(validatorTaken(direct));
}

/** As a namespace, what is not used of the validator (its sixty languages, for one) is left out; one import of `z` brings all. */
function validatorTaken(source) {
  return source.replace(/^import \{ z \} from ("zod(?:\/v4)?");/gm, "import * as z from $1;");
}

/** An `import` of a module of Node's reads every name it has, and so loads what stands behind those nobody asked for. */
function builtinsTaken(source) {
  const imports = /^import (?:\{([^}]*)\}|(\w+)) from ["'](node:[a-z/_]+)["'];/gm;
  return source.replace(imports, (_whole, names, whole, builtin) => {
    const taken = specifiers(names ?? "").map(({ imported, local }) => `${imported}: ${local}`);
    if (!whole && taken.length === 0) return "";
    return `const ${whole ?? `{ ${taken.join(", ")} }`} = globalThis.process.getBuiltinModule("${builtin}");`;
  });
}

/** Types are gone at run time. */
export function specifiers(names) {
  return names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "))
    .map((name) => {
      const [imported, local = imported] = name.split(/\s+as\s+/);
      return { imported, local };
    });
}
