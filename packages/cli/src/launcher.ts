/** @module What the published `fettle` starts with: the version at once, a clear word on an old Node, else the program that holds the command. */
import { endWithParent } from "../bin/end-with-parent.mjs";
import { keepCompiledCode } from "./compile-cache.ts";
import { sayWhenUnwritable } from "./output/unwritable.ts";
import { quickCommands } from "./quick-commands.ts";
import { version } from "./version.ts";

const argv = process.argv.slice(2);

if (["--version", "-v"].includes(argv.join(" "))) {
  sayWhenUnwritable({ asJson: false });
  process.stdout.write(`${version}\n`);
} else if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(
    `fettle needs Node 24 or newer; this is ${process.versions.node}. See https://nodejs.org\n`,
  );
  process.exitCode = 1;
} else {
  const { homedir } = process.getBuiltinModule("node:os");
  keepCompiledCode({ env: process.env, home: homedir(), cwd: process.cwd() });
  if (!(await showedHelp())) await runCommand();
}

/** Words and `--help`, and nothing that could be a flag with `--help` as its value. */
async function showedHelp(): Promise<boolean> {
  const words = argv.slice(0, -1);
  const isAsked = ["--help", "-h"].includes(argv.at(-1) ?? "--help");
  if (!isAsked || words.some((word) => word.startsWith("-"))) return false;
  // Paths the bundler leaves alone: the programs stand beside this file, and load only when they are needed.
  const program = "./help.mjs";
  const { showHelp } = await import(program);
  return showHelp(words);
}

async function runCommand(): Promise<void> {
  endWithParent();
  const program = quickCommands.includes(argv.slice(0, 2).join(" ")) ? "./quick.mjs" : "./fettle.mjs";
  const { main } = await import(program);
  await main(argv);
}
