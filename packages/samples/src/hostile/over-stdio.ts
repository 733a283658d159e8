/**
 * Runs a hostile server on this process's stdin and stdout.
 * @module
 */
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { answerTo, parseRequest } from "./answering.ts";
import type { Answer, HostileServer, Misbehaviour } from "./hostile-server.ts";

export function serveHostileOverStdio(server: HostileServer): void {
  const behaviour = server.behave();
  behaviour.atStart?.();
  // A client that has had enough closes its end; that is its right and no reason for a stack trace.
  process.stdout.on("error", () => process.exit());
  process.stderr.on("error", () => {});
  createInterface({ input: process.stdin })
    .on("line", (line) => void write(line, behaviour))
    .on("close", () => (behaviour.atEnd ? behaviour.atEnd() : process.exit()));
}

/** Two answers never mix: a process has one stdout, and ends one line before the next. */
let lastBytes: Promise<void> = Promise.resolve();

async function write(line: string, behaviour: Misbehaviour): Promise<void> {
  const request = parseRequest(line);
  if (!request) return;
  const answer: Answer = answerTo(request, behaviour);
  switch (answer.kind) {
    case "message":
      await lastBytes;
      process.stdout.write(`${JSON.stringify(answer.message)}\n`);
      return;
    case "messages":
      for await (const message of answer.messages) process.stdout.write(`${JSON.stringify(message)}\n`);
      return;
    case "bytes":
      lastBytes = lastBytes.then(async () => {
        await pipeline(Readable.from(answer.bytes), process.stdout, { end: false });
        if (!answer.leavesLineOpen) process.stdout.write("\n");
      });
      return lastBytes;
    case "death":
      process.stdout.write(answer.lastOutputLines, () => process.exit(7));
      return;
    case "silence":
      return;
  }
}
