/**
 * Tools that ask the client for something: a model's answer, a person's answer, its roots. Each is written once; the
 * SDK turns the questions into `input_required` results in the stateless era and into requests in the stateful one.
 * @module
 */
import {
  acceptedContent,
  type InputRequest,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { clientCapabilities } from "../client-capabilities.ts";
import type { RequestState } from "./request-state.ts";

type Form = Parameters<typeof inputRequired.elicit>[0]["requestedSchema"];

/** Schemas are made once: the stateless era builds a server for each request. */
export const NO_INPUT = z.object({});
const PROMPT = z.object({ prompt: z.string().describe("What to ask the model.") });
const MESSAGE = z.object({ message: z.string().describe("What to tell the person.") });
const NAME = z.object({ name: z.string() });
const nameForm = form({ name: { type: "string" } });

export function addAskingTools(server: McpServer, state: RequestState): void {
  server.registerTool(
    "test_sampling",
    {
      description: "Has the client's model answer a prompt.",
      inputSchema: PROMPT,
    },
    ({ prompt }, ctx) => {
      const answer = inputResponse(ctx.mcpReq.inputResponses, "answer");
      if (answer.kind !== "sampling") return inputRequired({ inputRequests: { answer: ask(prompt) } });
      return text(`LLM response: ${contentText(answer.result.content)}`);
    },
  );

  server.registerTool(
    "test_elicitation",
    {
      description: "Asks the person for a user name and an email address.",
      inputSchema: MESSAGE,
    },
    ({ message }, ctx) =>
      elicitOnce(ctx, message, {
        type: "object",
        properties: {
          username: { type: "string", description: "User's response" },
          email: { type: "string", description: "User's email address" },
        },
        required: ["username", "email"],
      }),
  );

  server.registerTool(
    "test_elicitation_sep1034_defaults",
    { description: "Asks with a form in which every field has a default.", inputSchema: NO_INPUT },
    (_args, ctx) =>
      elicitOnce(ctx, "Please review the defaults.", {
        type: "object",
        properties: {
          name: { type: "string", default: "John Doe" },
          age: { type: "integer", default: 30 },
          score: { type: "number", default: 95.5 },
          status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
          verified: { type: "boolean", default: true },
        },
        required: [],
      }),
  );

  server.registerTool(
    "test_elicitation_sep1330_enums",
    { description: "Asks with a form that uses every way to write an enumeration.", inputSchema: NO_INPUT },
    (_args, ctx) =>
      elicitOnce(ctx, "Please choose.", {
        type: "object",
        properties: {
          untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
          titledSingle: { type: "string", oneOf: titled("value", ["First", "Second", "Third"]) },
          legacyEnum: {
            type: "string",
            enum: ["opt1", "opt2", "opt3"],
            enumNames: ["Option One", "Option Two", "Option Three"],
          },
          untitledMulti: {
            type: "array",
            items: { type: "string", enum: ["option1", "option2", "option3"] },
          },
          titledMulti: { type: "array", items: { anyOf: titled("value", ["First", "Second", "Third"]) } },
        },
        required: [],
      }),
  );

  server.registerTool(
    "test_streaming_elicitation",
    { description: "Reports progress, then asks the person to confirm.", inputSchema: NO_INPUT },
    async (_args, ctx) => {
      const progressToken = ctx.mcpReq._meta?.progressToken;
      if (progressToken !== undefined) {
        await ctx.mcpReq.notify({
          method: "notifications/progress",
          params: { progressToken, progress: 1, total: 2 },
        });
      }
      return elicitOnce(ctx, "Continue?", form({ confirm: { type: "boolean" } }));
    },
  );

  server.registerTool(
    "test_missing_capability",
    { description: "Needs a client that offers sampling.", inputSchema: NO_INPUT },
    (_args, ctx) => {
      const answer = inputResponse(ctx.mcpReq.inputResponses, "answer");
      if (answer.kind !== "sampling") return inputRequired({ inputRequests: { answer: ask("Say hello.") } });
      return text(contentText(answer.result.content));
    },
  );

  server.registerTool(
    "test_input_required_result_elicitation",
    { description: "Asks for a name and greets it.", inputSchema: NO_INPUT },
    (_args, ctx) => {
      const name = acceptedName(ctx, "user_name");
      if (!name)
        return inputRequired({ inputRequests: { user_name: elicit("What is your name?", nameForm) } });
      return text(`Hello, ${name}!`);
    },
  );

  server.registerTool(
    "test_input_required_result_sampling",
    { description: "Has the client's model name a capital.", inputSchema: NO_INPUT },
    (_args, ctx) => {
      const answer = inputResponse(ctx.mcpReq.inputResponses, "capital_question");
      if (answer.kind !== "sampling") {
        return inputRequired({ inputRequests: { capital_question: ask("What is the capital of France?") } });
      }
      return text(contentText(answer.result.content));
    },
  );

  server.registerTool(
    "test_input_required_result_list_roots",
    { description: "Asks for the client's roots and repeats them.", inputSchema: NO_INPUT },
    (_args, ctx) => {
      const answer = inputResponse(ctx.mcpReq.inputResponses, "client_roots");
      if (answer.kind !== "roots")
        return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
      return text(`Roots: ${answer.roots.map((root) => root.uri).join(", ")}`);
    },
  );

  for (const name of [
    "test_input_required_result_request_state",
    "test_input_required_result_tampered_state",
  ]) {
    server.registerTool(
      name,
      {
        description: "Asks for a confirmation and carries signed state through the client.",
        inputSchema: NO_INPUT,
      },
      async (_args, ctx) => {
        if (state.read(ctx)?.step === "confirm" && acceptedContent(ctx.mcpReq.inputResponses, "confirm")) {
          return text("state-ok");
        }
        return inputRequired({
          inputRequests: { confirm: elicit("Please confirm", form({ ok: { type: "boolean" } })) },
          requestState: await state.seal({ step: "confirm" }),
        });
      },
    );
  }

  server.registerTool(
    "test_input_required_result_multiple_inputs",
    { description: "Asks for a name, a model's greeting and the roots at once.", inputSchema: NO_INPUT },
    async (_args, ctx) => {
      const name = acceptedName(ctx, "user_name");
      const greeting = inputResponse(ctx.mcpReq.inputResponses, "greeting");
      const roots = inputResponse(ctx.mcpReq.inputResponses, "client_roots");
      if (state.read(ctx) && name && greeting.kind === "sampling" && roots.kind === "roots") {
        return text(`${contentText(greeting.result.content)} ${name}, ${roots.roots.length} roots`);
      }
      return inputRequired({
        inputRequests: {
          user_name: elicit("What is your name?", nameForm),
          greeting: ask("Generate a greeting"),
          client_roots: inputRequired.listRoots(),
        },
        requestState: await state.seal({ step: "all" }),
      });
    },
  );

  server.registerTool(
    "test_input_required_result_multi_round",
    { description: "Asks two questions one after the other.", inputSchema: NO_INPUT },
    async (_args, ctx) => {
      const { step, name } = state.read(ctx) ?? {};
      const color = acceptedContent<{ color?: string }>(ctx.mcpReq.inputResponses, "step2")?.color;
      if (step === "color" && color) return text(`${name} likes ${color}.`);
      const newName = acceptedName(ctx, "step1");
      if (step === "name" && newName) {
        return inputRequired({
          inputRequests: {
            step2: elicit("Step 2: What is your favorite color?", form({ color: { type: "string" } })),
          },
          requestState: await state.seal({ step: "color", name: newName }),
        });
      }
      return inputRequired({
        inputRequests: { step1: elicit("Step 1: What is your name?", nameForm) },
        requestState: await state.seal({ step: "name" }),
      });
    },
  );

  server.registerTool(
    "test_input_required_result_capabilities",
    { description: "Asks only for what the client says it can do.", inputSchema: NO_INPUT },
    (_args, ctx) => {
      const offered = clientCapabilities(server, ctx);
      const inputRequests: Record<string, InputRequest> = {};
      if (offered.elicitation) inputRequests.user_name = elicit("What is your name?", nameForm);
      if (offered.sampling) inputRequests.greeting = ask("Generate a greeting");
      if (offered.roots) inputRequests.client_roots = inputRequired.listRoots();
      const answered = Object.keys(inputRequests).every((key) => ctx.mcpReq.inputResponses?.[key]);
      return answered
        ? text(`Answered: ${Object.keys(inputRequests).join(", ")}`)
        : inputRequired({ inputRequests });
    },
  );
}

export function elicit(message: string, requestedSchema: Form): InputRequest {
  return inputRequired.elicit({ message, requestedSchema });
}

/** A flat form in which every field is required. */
export function form(properties: Record<string, { type: "string" } | { type: "boolean" }>): Form {
  return { type: "object", properties, required: Object.keys(properties) };
}

function acceptedName(ctx: ServerContext, key: string): string | undefined {
  return acceptedContent(ctx.mcpReq.inputResponses, key, NAME)?.name;
}

export function text(value: string) {
  return { content: [{ type: "text" as const, text: value }] };
}

function elicitOnce(ctx: ServerContext, message: string, requestedSchema: Form) {
  const answer = inputResponse(ctx.mcpReq.inputResponses, "answer");
  if (answer.kind !== "elicit")
    return inputRequired({ inputRequests: { answer: elicit(message, requestedSchema) } });
  return text(`User response: action=${answer.action}, content=${JSON.stringify(answer.content ?? {})}`);
}

function ask(prompt: string): InputRequest {
  return inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: prompt } }],
    maxTokens: 100,
  });
}

function titled(prefix: string, titles: string[]) {
  return titles.map((title, index) => ({ const: `${prefix}${index + 1}`, title }));
}

function contentText(content: unknown): string {
  const blocks = [content].flat() as { type: string; text?: string }[];
  return blocks.map((block) => block.text ?? `[${block.type}]`).join(" ");
}
