/** @module Times that fit a busy machine: what a process takes to start tells how busy it is. */
import { spawn } from "node:child_process";
import { once } from "node:events";

/** So many starts of a process fit into what is added: a child that must speak in time has to start first. */
const starts = 10;

const briefly = { command: process.execPath, args: ["-e", "0"] };

/**
 * The time, and as much more as the machine is slow right now: half a second on a quiet one. `program` is what must start in
 * time, where that takes longer than an empty one; it must end by itself when nobody writes to it.
 */
export async function patient(
  ms: number,
  program: { command: string; args: readonly string[] } = briefly,
): Promise<number> {
  const began = performance.now();
  await once(spawn(program.command, program.args, { stdio: "ignore" }), "exit");
  return Math.round(ms + starts * (performance.now() - began));
}
