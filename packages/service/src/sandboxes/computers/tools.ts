/** @module What a model may do on a computer: run a command, read a file, write a file. Each is held to a time, to the disk, and to what it may say. */
import { sandboxLimits } from "@fettle/contract/sandboxes";
import { z } from "zod";
import type { Engine, ExecuteOptions, Execution } from "../engine/engine.ts";
import { held, LimitMet, requireRoom } from "../engine/exec-limits.ts";
import { keepPlainText } from "../engine/plain-text.ts";
import { EngineError } from "../engine/socket-http.ts";

/** A container that is there, and what is to be done when it must be stopped. */
export interface Computer {
  engine: Engine;
  container: string;
  diskBytes: number;
  /** For one call. */
  callMs: number;
  workingFolder: string | undefined;
  /** What it knows of itself: text for the model, never run here. */
  told: string;
  /** It met a limit: whatever runs in it is ended. */
  stopped(limit: LimitMet): Promise<void>;
  /** It has ended: it goes on with the files it has. */
  wake(): Promise<void>;
}

export interface ToolAnswer {
  text: string;
  isError: boolean;
}

interface ComputerTool {
  name: string;
  description: string;
  input: z.ZodObject;
  isReadOnly: boolean;
  call(computer: Computer, args: Record<string, unknown>, signal: AbortSignal): Promise<ToolAnswer>;
}

const { pathLength, commandLength, fileBytes, outputLength } = sandboxLimits.computerTools;
const path = z
  .string()
  .min(1)
  .max(pathLength)
  .refine((text) => !text.includes("\0"), "A path has no NUL in it.")
  .describe("Where; what does not begin with / is in the working folder");

function tool<Input extends z.ZodObject>(declaration: {
  name: string;
  description: string;
  input: Input;
  isReadOnly: boolean;
  call(computer: Computer, args: z.output<Input>, signal: AbortSignal): Promise<ToolAnswer>;
}): ComputerTool {
  // Only what the schema of the same tool has read is given to it.
  return declaration;
}

export const computerTools: readonly ComputerTool[] = [
  tool({
    name: "run_command",
    description:
      "Runs a command in a shell on the computer, and answers with its exit code and the end of its output.",
    input: z.strictObject({ command: z.string().min(1).max(commandLength) }),
    isReadOnly: false,
    call: async (computer, { command }, signal) => {
      const said = keepPlainText({ length: outputLength, lineLength: outputLength });
      const exitCode = await run(computer, ["/bin/sh", "-c", command], signal, (bytes) => said.add(bytes));
      const isError = exitCode !== 0;
      return { text: `exit code ${exitCode ?? "unknown"}\n${said.text()}`, isError };
    },
  }),
  tool({
    name: "read_file",
    description: `Reads the first ${fileBytes} bytes of a text file on the computer.`,
    input: z.strictObject({ path }),
    isReadOnly: true,
    call: async (computer, { path }, signal) => {
      const pieces: Buffer[] = [];
      const command = ["head", "-c", String(fileBytes + 1), anchored(path)];
      const exitCode = await run(computer, command, signal, (bytes) => pieces.push(bytes));
      const bytes = Buffer.concat(pieces);
      const isCut = bytes.length > fileBytes;
      const text = bytes.subarray(0, fileBytes).toString("utf8");
      return { text: isCut ? `${text}\n(cut after ${fileBytes} bytes)` : text, isError: exitCode !== 0 };
    },
  }),
  tool({
    name: "write_file",
    description:
      "Writes a text file on the computer, with the folders it is in; one that is there is replaced.",
    input: z.strictObject({
      path,
      content: z
        .string()
        .refine((text) => Buffer.byteLength(text) <= fileBytes, `At most ${fileBytes} bytes.`),
    }),
    isReadOnly: false,
    call: async (computer, { path, content }, signal) => {
      const bytes = Buffer.from(content, "utf8");
      const said = keepPlainText({ length: outputLength, lineLength: outputLength });
      // Exactly so many bytes are read, so nothing depends on how an engine passes on the end of an input.
      const script = 'mkdir -p "$(dirname "$1")" && head -c "$2" > "$1"';
      const command = ["/bin/sh", "-c", script, "sh", anchored(path), String(bytes.length)];
      const exitCode = await run(computer, command, signal, (piece) => said.add(piece), bytes);
      if (exitCode !== 0) return { text: said.text() || `exit code ${exitCode ?? "unknown"}`, isError: true };
      return { text: `Wrote ${bytes.length} bytes.`, isError: false };
    },
  }),
];

/** Never taken for an option of the program that opens it. */
const anchored = (path: string) => (path.startsWith("/") ? path : `./${path}`);

async function run(
  computer: Computer,
  command: readonly string[],
  signal: AbortSignal,
  said: (bytes: Buffer) => void,
  input?: Buffer,
): Promise<number | undefined> {
  const { engine, container, diskBytes, callMs, workingFolder, stopped } = computer;
  try {
    return await held(engine, container, { ms: callMs, diskBytes, signal }, async (stop) => {
      const running = await execute(computer, command, {
        signal: stop,
        takesInput: input !== undefined,
        ...(workingFolder !== undefined && { workingFolder }),
      });
      if (input !== undefined) running.input.write(input);
      for await (const { bytes } of running.output) said(bytes);
      return running.exitCode();
    });
  } catch (error) {
    if (error instanceof LimitMet) await stopped(error);
    // Whoever asked is gone, and what was begun would run on for nobody.
    else if (signal.aborted) await stopped(new LimitMet("time", "It was given up."));
    throw error;
  }
}

/** A computer that was ended from within, by a command or for want of memory, is woken first. */
async function execute(
  { engine, container, diskBytes, wake }: Computer,
  command: readonly string[],
  options: ExecuteOptions & { signal: AbortSignal },
): Promise<Execution> {
  try {
    return await engine.containers.execute(container, command, options);
  } catch (error) {
    if (!(error instanceof EngineError) || options.signal.aborted) throw error;
    // The engine may notice an end a moment after it refuses for it.
    const soon = AbortSignal.any([options.signal, AbortSignal.timeout(sandboxLimits.watchMs)]);
    const hasEnded = await engine.containers.wait(container, soon).then(
      () => true,
      () => false,
    );
    if (!hasEnded) throw error;
    await requireRoom(engine, container, diskBytes);
    await wake();
    return engine.containers.execute(container, command, options);
  }
}
