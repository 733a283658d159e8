// Rewrites the registry for the program of the quick commands: these are part of the program, and no other is in it.
import { quickCommands } from "../packages/cli/src/quick-commands.ts";

const quickFiles = new Set(quickCommands.map((name) => `${name.replaceAll(" ", "-")}.ts`));

/** `import("../commands/tools-call.ts")` loads a file of its own; bundled into the program there is nothing left to load. */
export function quickOnly(source) {
  const imports = [];
  const loads = source.replace(/\bimport\("\.\.\/commands\/([a-z-]+\.ts)"\)/g, (_whole, file) => {
    // The launcher sends every other command to the whole program.
    if (!quickFiles.has(file))
      return `Promise.reject(new Error(${JSON.stringify(`${file} is not in this program`)}))`;
    const name = `${file.replace(/\.ts$/, "").replaceAll("-", "_")}_command`;
    imports.push(`import * as ${name} from "../commands/${file}";`);
    return `Promise.resolve(${name})`;
  });
  return [...imports, loads].join("\n");
}
