// Rewrites the declarations for a small program: its own commands are part of it, and no other is in it.
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const sources = fileURLToPath(new URL("../packages/cli/src/", import.meta.url));

/** Where commands are declared, which is where a command's own part is loaded from. */
const declarations = /^commands\/[a-z]+\/index\.ts$/;

/**
 * None of their commands is hosted, and none advises one of these: what the contract says of flags stays out too. What such a command
 * advises is looked up among the declarations, so that the others stay.
 */
const emptied = Object.fromEntries(
  ["cloud", "readiness", "registry"].map((family) => [
    `commands/${family}/index.ts`,
    `export const ${family}Commands = [];`,
  ]),
);

/** `import("./call.ts")` loads a file of its own; bundled into the program there is nothing left to load. */
export const onlyCommands = (commands) => (source, path) => {
  const file = relative(sources, path).replaceAll(sep, "/");
  if (file in emptied) return emptied[file];
  if (!declarations.test(file)) return source;
  const imports = [];
  const loads = source.replace(/\bimport\("(\.[^"]+\.ts)"\)/g, (_whole, specifier) => {
    const loaded = join(dirname(file), specifier).replaceAll(sep, "/");
    const words = loaded
      .replace(/^commands\//, "")
      .replace(/\.ts$/, "")
      .replaceAll(/[/-]/g, " ");
    // The launcher sends every other command to the whole program.
    if (!commands.includes(words))
      return `Promise.reject(new Error(${JSON.stringify(`${loaded} is not in this program`)}))`;
    const name = `${words.replaceAll(" ", "_")}_command`;
    imports.push(`import * as ${name} from "${specifier}";`);
    return `Promise.resolve(${name})`;
  });
  return [...imports, loads].join("\n");
};
