/** @module What the published `fettle` starts with: the version at once, a clear word on an old Node, else the program that holds the command. */
import { endWithParent } from "../bin/end-with-parent.mjs";
import { builtProgramOf } from "./built-programs.ts";
import { keepCompiledCode } from "./compile-cache.ts";
import { showFirstPage } from "./first-page.ts";
import { sayWhenUnwritable } from "./output/unwritable.ts";
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
} else if (!isFirstPage() || !showFirstPage(import.meta.dirname)) {
  const { homedir } = process.getBuiltinModule("node:os");
  keepCompiledCode({ env: process.env, home: homedir(), cwd: process.cwd() });
  if (!(await showedHelp())) await runCommand();
}

function isFirstPage(): boolean {
  return ["", "--help", "-h"].includes(argv.join(" "));
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
  const { main } = await import(builtProgramOf(argv));
  await main(argv);
}
