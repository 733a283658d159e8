/** @module Stdout that takes nothing more. Imports nothing: the smallest programs use it too. */

/**
 * A full disk is said once, in one line, and the command fails by its exit code; what it does besides printing goes on. A reader
 * that has seen enough (`fettle … | head`) closes the pipe, and that is no failure of ours.
 */
export function sayWhenUnwritable({ asJson }: { asJson: boolean }): void {
  let isSaid = false;
  process.stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
    if (isSaid || code === "EPIPE") return;
    isSaid = true;
    // Where the result is lost, stderr may be too.
    process.stderr.on("error", () => {});
    const error = {
      code: "OPERATIONAL_ERROR",
      message: `The result could not be written: ${message}.`,
      hint: "Is the disk full?",
    };
    const line = asJson ? JSON.stringify({ error }) : `✗ ${error.message} (${error.code})`;
    process.stderr.write(`${line}\n`);
    process.on("exit", () => {
      process.exitCode ||= 1;
    });
  });
}
