/** @module The check of the Apps SDK's dialect: its keys on tools, its documents, its content policy. */
import { isObject, type JsonObject } from "@fettle/mcp";
import { couldNotRun, notApplicable } from "../verdict/check-result.ts";
import { type AppsCheck, openAiSpec, verdictOf } from "./apps-check.ts";
import { itemsOf, nameOf, type SeenDocument } from "./observe-apps.ts";
import { documentFaults } from "./resource-checks.ts";
import { speaksOpenAi } from "./tool-checks.ts";
import { metaOf, toolUiOf, widgetMimeTypes } from "./tool-ui.ts";

type Shape = { key: string; is(value: unknown): boolean; shape: string };

const isText = (value: unknown) => typeof value === "string" && value !== "";
const isFlag = (value: unknown) => typeof value === "boolean";

const toolKeys: readonly Shape[] = [
  { key: "openai/outputTemplate", is: isText, shape: "a non-empty string" },
  { key: "openai/widgetAccessible", is: isFlag, shape: "true or false" },
  {
    key: "openai/visibility",
    is: (value) => value === "public" || value === "private",
    shape: '"public" or "private"',
  },
  { key: "openai/toolInvocation/invoking", is: isText, shape: "a non-empty string" },
  { key: "openai/toolInvocation/invoked", is: isText, shape: "a non-empty string" },
  {
    key: "openai/fileParams",
    is: (value) => Array.isArray(value) && value.every(isText),
    shape: "an array of strings",
  },
];

const resourceKeys: readonly Shape[] = [
  { key: "openai/widgetDescription", is: isText, shape: "a non-empty string" },
  { key: "openai/widgetPrefersBorder", is: isFlag, shape: "true or false" },
  { key: "openai/widgetDomain", is: isText, shape: "a non-empty string" },
  { key: "openai/widgetCSP", is: isPolicy, shape: "an object of arrays of strings" },
];

function isPolicy(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((list) => Array.isArray(list) && list.every(isText));
}

function shapeFaults(where: string, meta: JsonObject, keys: readonly Shape[]): string[] {
  return keys
    .filter(({ key, is }) => meta[key] !== undefined && !is(meta[key]))
    .map(({ key, shape }) => `${where}: ${key} is not ${shape}.`);
}

function templateFaults({ uri, answer }: SeenDocument): string[] {
  if ("refused" in answer) return [`${uri}: ${answer.refused}`];
  if (!("contents" in answer)) return [];
  const content = Array.isArray(answer.contents) ? answer.contents[0] : undefined;
  if (!isObject(content)) return [`${uri}: it has no contents.`];
  const types = Object.values(widgetMimeTypes);
  return [
    ...(types.includes(String(content.mimeType))
      ? []
      : [
          `${uri}: its MIME type is ${JSON.stringify(content.mimeType) ?? "missing"}; use ${types.join(" or ")}.`,
        ]),
    ...documentFaults(uri, content),
    ...shapeFaults(uri, metaOf(content), resourceKeys),
  ];
}

export const openAiDialect: AppsCheck = {
  id: "ui-openai-dialect-valid",
  title: "The Apps SDK's keys are well-formed",
  description:
    "Keys of tools and documents have their shapes, the template can be read and is HTML of a known type; advice where a widget is in this dialect alone.",
  category: "tools",
  rules: openAiSpec,
  needs: ["tools", "documents"],
  judge: ({ tools, documents }) => {
    if ("refused" in tools) return couldNotRun(`tools/list was refused: ${tools.refused}`);
    const speaking = itemsOf(tools).filter(speaksOpenAi);
    if (speaking.length === 0) return notApplicable("No tool speaks this dialect.");
    const templates = documents.filter(({ dialects }) => dialects.includes("openai"));
    const faults = [
      ...speaking.flatMap((tool) => shapeFaults(nameOf(tool), metaOf(tool), toolKeys)),
      ...templates.flatMap(templateFaults),
    ];
    const unread = templates.flatMap(({ answer }) => ("unreachable" in answer ? [answer.unreachable] : []));
    if (faults.length === 0 && unread.length > 0) return couldNotRun(unread.join(" "));
    const alone = speaking.filter((tool) => toolUiOf(tool)?.uris.mcp === undefined);
    return verdictOf(
      faults,
      alone.map((tool) => ({
        word: "inferred" as const,
        message: `${nameOf(tool)}: declare _meta.ui.resourceUri too, for hosts that show MCP Apps.`,
      })),
    );
  },
};
