/** @module What the published `fettle` starts with: the version at once, a clear word on an old Node, else the whole program. */
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
  // A path the bundler leaves alone: the program stands beside this file, and loads only when it is needed.
  const program = "./fettle.mjs";
  const { main } = await import(program);
  await main(process.argv.slice(2));
}
