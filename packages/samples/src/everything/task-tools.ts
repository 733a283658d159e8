/**
 * Tools whose work may become a task. Each says what it asks and what it then does; how it runs (at once, as a task, or asking
 * through the call itself) follows from the era and from what the client declared.
 * @module
 */
import { setTimeout as wait } from "node:timers/promises";
import {
  type CallToolResult,
  type InputRequest,
  inputRequired,
  inputResponse,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { elicit, form, text } from "./asking-tools.ts";
import type { Answers, TaskStore } from "./task-store.ts";
import {
  createdTask,
  declaresTasks,
  type Era,
  isTaskRequested,
  missingTasksCapability,
  rawAnswer,
} from "./task-wire.ts";

interface TaskTool {
  name: string;
  description: string;
  input: z.ZodObject;
  /** Never runs without a task. */
  required?: boolean;
  questions?: (args: Record<string, unknown>) => Record<string, InputRequest>;
  /** Asks through the call before the task exists, instead of parking the task. */
  asksFirst?: boolean;
  /** Short enough to answer at once. */
  isInstant?: (args: Record<string, unknown>) => boolean;
  run(args: Record<string, unknown>, answers: Answers, signal: AbortSignal): Promise<CallToolResult>;
}

const TASK_TOOLS: TaskTool[] = [
  {
    name: "slow_compute",
    description: "Computes for some seconds, as a task when the client can follow one.",
    input: z.object({
      seconds: z.number().min(0).max(3600).default(1).describe("How long to compute; 0 answers at once."),
      label: z.string().optional().describe("Repeated in the answer."),
    }),
    isInstant: ({ seconds }) => seconds === 0,
    async run({ seconds, label }, _answers, signal) {
      await wait(Number(seconds) * 1000, undefined, { signal });
      return text(`Computed ${label ?? "something"} for ${seconds} seconds.`);
    },
  },
  {
    name: "failing_job",
    description: "A task that always ends with a tool error.",
    input: z.object({}),
    required: true,
    async run(_args, _answers, signal) {
      await wait(300, undefined, { signal });
      return { ...text("The job failed as intended."), isError: true };
    },
  },
  {
    name: "protocol_error_job",
    description: "A task that always ends with a protocol error.",
    input: z.object({}),
    async run(_args, _answers, signal) {
      await wait(100, undefined, { signal });
      throw new ProtocolError(ProtocolErrorCode.InternalError, "The job broke the protocol as intended.");
    },
  },
  {
    name: "confirm_delete",
    description: "Pretends to delete a file after a person confirmed.",
    input: z.object({ filename: z.string().default("notes.txt").describe("The file to pretend to delete.") }),
    questions: ({ filename }) => ({
      confirmation: elicit(`Delete ${filename}?`, form({ confirm: { type: "boolean" } })),
    }),
    async run({ filename }, answers) {
      const answer = inputResponse(answers, "confirmation");
      const confirmed = answer.kind === "elicit" && answer.content?.confirm === true;
      return text(confirmed ? `Deleted ${filename}.` : `Kept ${filename}.`);
    },
  },
  {
    name: "multi_input",
    description: "Asks two questions at once and waits for both answers.",
    input: z.object({}),
    questions: () => ({
      first: elicit("First question", form({ name: { type: "string" } })),
      second: elicit("Second question", form({ name: { type: "string" } })),
    }),
    async run(_args, answers) {
      return text(`Answered: ${Object.keys(answers).join(", ")}`);
    },
  },
  {
    name: "test_tool_with_task",
    description: "Asks for a name first, then greets it in a task.",
    input: z.object({}),
    required: true,
    asksFirst: true,
    questions: () => ({ user_name: elicit("What is your name?", form({ name: { type: "string" } })) }),
    async run(_args, answers, signal) {
      await wait(100, undefined, { signal });
      const answer = inputResponse(answers, "user_name");
      return text(`Hello, ${answer.kind === "elicit" ? answer.content?.name : "stranger"}!`);
    },
  },
];

const GREETED = z.object({ name: z.string().describe("Whom to greet.") });

export function addTaskTools(server: McpServer, store: TaskStore, era: Era): void {
  server.registerTool(
    "greet",
    {
      description: "Greets at once; never a task.",
      inputSchema: GREETED,
    },
    ({ name }) => text(`Hello, ${name}!`),
  );

  for (const tool of TASK_TOOLS) {
    const registered = server.registerTool(
      tool.name,
      { description: tool.description, inputSchema: tool.input },
      (args, ctx) => (era === "modern" ? callModern(tool, args, ctx) : callLegacy(tool, args, ctx)),
    );
    registered.execution = { taskSupport: legacySupport(tool) };
  }

  function callModern(tool: TaskTool, args: Record<string, unknown>, ctx: ServerContext) {
    const hasTasks = declaresTasks(server, ctx);
    if (tool.required && !hasTasks) {
      const { code, message, data } = missingTasksCapability();
      return rawAnswer({ error: { code, message, data } });
    }
    if (!hasTasks || tool.isInstant?.(args)) return runAtOnce(tool, args, ctx);
    if (tool.asksFirst && openQuestions(tool, args, ctx)) return askThroughCall(tool, args);
    const given = ctx.mcpReq.inputResponses ?? {};
    const task = store.start(async ({ signal, ask }) => {
      const answers = tool.questions && !tool.asksFirst ? await ask(tool.questions(args)) : given;
      return tool.run(args, answers, signal);
    });
    return createdTask(task, era);
  }

  function callLegacy(tool: TaskTool, args: Record<string, unknown>, ctx: ServerContext) {
    const support = legacySupport(tool);
    if (support === "forbidden" || (support === "optional" && !isTaskRequested(ctx)))
      return runAtOnce(tool, args, ctx);
    if (!isTaskRequested(ctx)) {
      return rawAnswer({
        error: { code: ProtocolErrorCode.MethodNotFound, message: `${tool.name} runs only as a task.` },
      });
    }
    return createdTask(
      store.start(({ signal }) => tool.run(args, {}, signal)),
      era,
    );
  }
}

/** The experimental tasks of 2025-11-25 are kept to tools that ask nothing; the others run within the call. */
function legacySupport(tool: TaskTool): "forbidden" | "optional" | "required" {
  if (tool.questions) return "forbidden";
  return tool.required ? "required" : "optional";
}

async function runAtOnce(tool: TaskTool, args: Record<string, unknown>, ctx: ServerContext) {
  if (openQuestions(tool, args, ctx)) return askThroughCall(tool, args);
  try {
    return await tool.run(args, ctx.mcpReq.inputResponses ?? {}, ctx.mcpReq.signal);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return rawAnswer({ error: { code: error.code, message: error.message } });
  }
}

function openQuestions(tool: TaskTool, args: Record<string, unknown>, ctx: ServerContext): boolean {
  const answers = ctx.mcpReq.inputResponses ?? {};
  return Object.keys(tool.questions?.(args) ?? {}).some((key) => !(key in answers));
}

function askThroughCall(tool: TaskTool, args: Record<string, unknown>) {
  return inputRequired({ inputRequests: tool.questions?.(args) ?? {} });
}
