/** @module The `fettle` command: parses argv, loads the one command asked for, prints, sets the exit code. */

export async function main(argv: readonly string[]): Promise<void> {
  process.stderr.write(`fettle: no command yet (${argv.length} arguments)\n`);
  process.exitCode = 2;
}
