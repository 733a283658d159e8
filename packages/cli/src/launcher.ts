/** @module What the published `fettle` starts with: the version at once, a clear word on an old Node, else the program that holds the command. */
import { keepCompiledCode } from "./compile-cache.ts";
import { quickCommands } from "./quick-commands.ts";
import { version } from "./version.ts";

const [word, ...rest] = process.argv.slice(2);

if ((word === "--version" || word === "-v") && rest.length === 0) {
  process.stdout.write(`${version}\n`);
} else if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(
    `fettle needs Node 24 or newer; this is ${process.versions.node}. See https://nodejs.org\n`,
  );
  process.exitCode = 1;
} else {
  const { homedir } = process.getBuiltinModule("node:os");
  keepCompiledCode({ env: process.env, home: homedir(), cwd: process.cwd() });
  // Paths the bundler leaves alone: the programs stand beside this file, and load only when they are needed.
  const program = quickCommands.includes(`${word} ${rest[0]}`) ? "./quick.mjs" : "./fettle.mjs";
  const { main } = await import(program);
  await main(process.argv.slice(2));
}
