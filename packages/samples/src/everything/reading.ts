/**
 * Resources, templates and prompts of the fixture contract.
 * @module
 */
import {
  acceptedContent,
  completable,
  inputRequired,
  type McpServer,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { elicit, form } from "./asking-tools.ts";
import { PNG } from "./content-tools.ts";

export const WATCHED_RESOURCE = "test://watched-resource";

export function addReading(server: McpServer, watchedVersion: () => number): void {
  server.registerResource(
    "static-text",
    "test://static-text",
    { title: "Static text", description: "A text that never changes.", mimeType: "text/plain" },
    ({ href: uri }) => ({
      contents: [{ uri, mimeType: "text/plain", text: "This is the content of the static text resource." }],
    }),
  );

  server.registerResource(
    "static-binary",
    "test://static-binary",
    { title: "Static binary", description: "An image that never changes.", mimeType: "image/png" },
    ({ href: uri }) => ({ contents: [{ uri, mimeType: "image/png", blob: PNG }] }),
  );

  server.registerResource(
    "watched-resource",
    WATCHED_RESOURCE,
    { title: "Watched resource", description: "A text that changes when told to.", mimeType: "text/plain" },
    ({ href: uri }) => ({
      contents: [{ uri, mimeType: "text/plain", text: `Watched resource, version ${watchedVersion()}.` }],
    }),
  );

  server.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data", {
      list: undefined,
      complete: { id: (typed) => ["123", "124", "200"].filter((id) => id.startsWith(typed)) },
    }),
    { title: "Template", description: "Data for any id.", mimeType: "application/json" },
    ({ href: uri }, { id }) => ({
      contents: [
        {
          uri,
          mimeType: "application/json",
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  );
}

const twoArguments = z.object({
  arg1: completable(z.string().describe("First argument."), (typed) =>
    ["paris", "park", "party"].filter((word) => word.startsWith(typed)),
  ),
  arg2: z.string().describe("Second argument."),
});
const resourceArgument = z.object({ resourceUri: z.string().describe("URI to give the resource.") });
const contextAnswer = z.object({ context: z.string() });

export function addPrompts(server: McpServer): void {
  server.registerPrompt(
    "test_simple_prompt",
    { title: "Simple prompt", description: "A prompt without arguments." },
    () => ({ messages: [userText("This is a simple prompt for testing.")] }),
  );

  server.registerPrompt(
    "test_prompt_with_arguments",
    {
      title: "Prompt with arguments",
      description: "A prompt that repeats its two arguments.",
      argsSchema: twoArguments,
    },
    ({ arg1, arg2 }) => ({ messages: [userText(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  );

  server.registerPrompt(
    "test_prompt_with_embedded_resource",
    {
      title: "Prompt with a resource",
      description: "A prompt that carries a resource.",
      argsSchema: resourceArgument,
    },
    ({ resourceUri }) => ({
      messages: [
        {
          role: "user",
          content: {
            type: "resource",
            resource: {
              uri: resourceUri,
              mimeType: "text/plain",
              text: "Embedded resource content for testing.",
            },
          },
        },
        userText("Please process the embedded resource above."),
      ],
    }),
  );

  server.registerPrompt(
    "test_prompt_with_image",
    { title: "Prompt with an image", description: "A prompt that carries an image." },
    () => ({
      messages: [
        { role: "user", content: { type: "image", data: PNG, mimeType: "image/png" } },
        userText("Please analyze the image above."),
      ],
    }),
  );

  server.registerPrompt(
    "test_input_required_result_prompt",
    { title: "Prompt that asks", description: "A prompt that first asks the person for context." },
    (ctx) => {
      const context = acceptedContent(ctx.mcpReq.inputResponses, "user_context", contextAnswer);
      if (!context) {
        return inputRequired({
          inputRequests: {
            user_context: elicit(
              "What context should the prompt use?",
              form({ context: { type: "string" } }),
            ),
          },
        });
      }
      return { messages: [userText(`Use this context: ${context.context}`)] };
    },
  );
}

function userText(text: string) {
  return { role: "user" as const, content: { type: "text" as const, text } };
}
