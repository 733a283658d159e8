/** @module The figures of a run of benches as a file, to compare a later run with. */
import { readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import type { Row } from "./bench.ts";

const format = "fettle-bench-1";

export interface Report {
  format: typeof format;
  /** Of Fettle. */
  version: string;
  node: string;
  machine: string;
  rows: (Omit<Row, "spread"> & { bench: string })[];
}

export function reportOf(version: string, rows: Report["rows"]): Report {
  const machine = `${process.platform} ${process.arch}, ${cpus().length} processors`;
  return { format, version, node: process.versions.node, machine, rows };
}

export async function writeReport(path: string, report: Report): Promise<void> {
  // Four digits: more are noise.
  const text = JSON.stringify(
    report,
    (_, value) => (typeof value === "number" ? Number(value.toPrecision(4)) : value),
    1,
  );
  await writeFile(path, `${text}\n`);
}

export async function readReport(path: string): Promise<Report> {
  const text = await readFile(path, "utf8").catch((error: Error) => {
    throw new Error(`Cannot read ${path}: ${error.message}`);
  });
  const report = parsed(text);
  if (report?.format !== format)
    throw new Error(`${path} was not written by "npm run bench -- --json FILE".`);
  return report;
}

function parsed(text: string): Report | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
