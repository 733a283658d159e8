/** @module Times that fit a busy machine: what a process takes to start tells how busy it is. */
import { spawn } from "node:child_process";
import { once } from "node:events";

/** So many starts of a process fit into what is added: a child that must speak in time has to start first. */
const starts = 10;

/** The time, and as much more as the machine is slow right now: half a second on a quiet one. */
export async function patient(ms: number): Promise<number> {
  const began = performance.now();
  await once(spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }), "exit");
  return Math.round(ms + starts * (performance.now() - began));
}
