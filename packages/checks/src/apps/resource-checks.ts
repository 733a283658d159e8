/** @module Checks of the documents that widgets are: listed, readable, of the right type, and honest about what they load. */
import { isObject, type JsonObject } from "@fettle/mcp";
import { couldNotRun, notApplicable, passed } from "../verdict/check-result.ts";
import { type Finding, findingUnless } from "../verdict/rule.ts";
import { type AppsCheck, appsSpec, noWidgets, readDocumentsOf, verdictOf } from "./apps-check.ts";
import { cspEntryFault, isCovered, loadedOrigins } from "./csp-sources.ts";
import { type AppsObserved, itemsOf, type SeenDocument } from "./observe-apps.ts";
import { isUiResource, metaOf, uiOf, widgetMimeTypes, widgetSource } from "./tool-ui.ts";

/** A document that only tools of the other dialect name has other rules. */
const isOpenAiOnly = ({ dialects }: Pick<SeenDocument, "dialects">) =>
  dialects.length === 1 && dialects[0] === "openai";

const contentsOf = (contents: unknown): JsonObject[] =>
  Array.isArray(contents) ? contents.filter(isObject) : [];

function listedWidgets(
  resources: AppsObserved["resources"],
  documents: readonly SeenDocument[],
): JsonObject[] {
  const others = new Set(documents.filter(isOpenAiOnly).map(({ uri }) => uri));
  return itemsOf(resources).filter(
    (resource) =>
      isUiResource(resource) &&
      !others.has(String(resource.uri)) &&
      resource.mimeType !== widgetMimeTypes.openai,
  );
}

const listedValid: AppsCheck = {
  id: "ui-listed-resources-valid",
  title: "Listed widgets have the right address and type",
  description: `Addresses begin with ui://, and the MIME type is ${widgetMimeTypes.mcp}.`,
  category: "resources",
  rules: appsSpec("MUST", "UI resource format", "ui-resource-format"),
  needs: ["resources", "documents"],
  judge: ({ resources, documents }) => {
    if ("unadvertised" in resources) return notApplicable("The server does not advertise resources.");
    if ("refused" in resources) return couldNotRun(`resources/list was refused: ${resources.refused}`);
    const listed = listedWidgets(resources, documents);
    if (listed.length === 0) return notApplicable("No widget is listed.");
    return verdictOf(
      listed.flatMap(({ uri }) =>
        String(uri).startsWith("ui://") ? [] : [`${uri}: does not begin with ui://.`],
      ),
      // Two sentences of the document differ about the type in a list; the document itself has a check.
      listed.flatMap(({ uri, mimeType }) =>
        findingUnless(
          mimeType === widgetMimeTypes.mcp,
          "SHOULD",
          `${uri}: its MIME type is ${JSON.stringify(mimeType) ?? "missing"}.`,
        ),
      ),
    );
  },
};

const readable: AppsCheck = {
  id: "ui-resources-readable",
  title: "Widgets can be read",
  description: "Every document that a tool names or the list holds is answered by resources/read.",
  category: "resources",
  rules: appsSpec("MUST", "Resource discovery", "resource-discovery"),
  needs: ["documents"],
  judge: ({ documents }) => {
    if (documents.length === 0) return noWidgets;
    const refused = documents.flatMap(({ uri, answer }) =>
      "refused" in answer ? [`${uri}: ${answer.refused}`] : [],
    );
    const unreachable = documents.flatMap(({ uri, answer }) =>
      "unreachable" in answer ? [`${uri}: ${answer.unreachable}`] : [],
    );
    if (refused.length === 0 && unreachable.length > 0) return couldNotRun(unreachable.join(" "));
    return verdictOf(refused);
  },
};

function contentFaults(uri: string, contents: unknown): string[] {
  if (!Array.isArray(contents)) return [`${uri}: contents has no array instead of one entry.`];
  if (contents.length === 0) return [`${uri}: contents is empty.`];
  const content = contents.find((item) => isObject(item) && item.uri === uri) ?? contents[0];
  if (!isObject(content)) return [`${uri}: the entry is not an object.`];
  const faults: string[] = [];
  if (content.uri !== uri) faults.push(`${uri}: the entry names ${JSON.stringify(content.uri)} instead.`);
  if (content.mimeType !== widgetMimeTypes.mcp) {
    faults.push(`${uri}: its MIME type is ${JSON.stringify(content.mimeType) ?? "missing"}.`);
  }
  return [...faults, ...documentFaults(uri, content)];
}

/** Text or blob, and a page in it. */
export function documentFaults(uri: string, content: JsonObject): string[] {
  const has = ["text", "blob"].filter((member) => typeof content[member] === "string");
  if (has.length !== 1) return [`${uri}: it has ${has.length === 0 ? "neither" : "both"} text and blob.`];
  const source = widgetSource(content) ?? "";
  if (source.trim() === "") return [`${uri}: it is empty.`];
  return /<(?:!doctype\s+html|html)\b/i.test(source) ? [] : [`${uri}: it is not an HTML document.`];
}

const contentsValid: AppsCheck = {
  id: "ui-resource-contents-valid",
  title: "A widget is one HTML document",
  description: "One entry with the address asked for, the right MIME type, text or blob, and HTML in it.",
  category: "resources",
  rules: appsSpec("MUST", "Content requirements", "content-requirements"),
  needs: ["documents"],
  judge: ({ documents }) => {
    const own = documents.filter((document) => !isOpenAiOnly(document));
    if (own.length === 0) return noWidgets;
    const read = readDocumentsOf(own);
    if (read.length === 0) return couldNotRun("No widget could be read.");
    return verdictOf(
      read.flatMap(({ uri, contents }) => contentFaults(uri, contents)),
      // Every example shows one entry; no sentence says so.
      read.flatMap(({ uri, contents }) =>
        findingUnless(
          !Array.isArray(contents) || contents.length < 2,
          "SHOULD",
          `${uri}: contents has ${Array.isArray(contents) ? contents.length : 0} entries instead of one.`,
        ),
      ),
    );
  },
};

const cspMembers = ["connectDomains", "resourceDomains", "frameDomains", "baseUriDomains"];
const permissionNames = ["camera", "microphone", "geolocation", "clipboardWrite"];

function metaFaults(where: string, { ui }: JsonObject): { faults: string[]; warnings: Finding[] } {
  const faults: string[] = [];
  const warnings: Finding[] = [];
  if (ui === undefined) return { faults, warnings };
  if (!isObject(ui)) return { faults: [`${where}: _meta.ui is not an object.`], warnings };
  const { csp, permissions, domain, prefersBorder } = ui;
  if (csp !== undefined && !isObject(csp)) faults.push(`${where}: csp is not an object.`);
  for (const [member, entries] of Object.entries(isObject(csp) ? csp : {})) {
    if (!cspMembers.includes(member)) {
      warnings.push({ word: "inferred", message: `${where}: csp.${member} is not known.` });
    } else if (!Array.isArray(entries) || entries.some((entry) => typeof entry !== "string")) {
      faults.push(`${where}: csp.${member} is not an array of strings.`);
    }
  }
  if (permissions !== undefined && !isObject(permissions)) {
    faults.push(`${where}: permissions is not an object.`);
  }
  for (const [name, value] of Object.entries(isObject(permissions) ? permissions : {})) {
    if (!isObject(value)) faults.push(`${where}: permissions.${name} is not an object; write {}.`);
    else if (!permissionNames.includes(name)) {
      warnings.push({ word: "inferred", message: `${where}: the permission ${name} is not known.` });
    }
  }
  if (domain !== undefined && typeof domain !== "string") faults.push(`${where}: domain is not a string.`);
  if (prefersBorder !== undefined && typeof prefersBorder !== "boolean") {
    faults.push(`${where}: prefersBorder is not true or false.`);
  }
  return { faults, warnings };
}

const metaValid: AppsCheck = {
  id: "ui-resource-meta-valid",
  title: "What a widget declares is well-formed",
  description:
    "csp, permissions, domain and prefersBorder have their shapes, in the list and in the document.",
  category: "resources",
  rules: appsSpec("schema", "UI resource format", "ui-resource-format"),
  needs: ["resources", "documents"],
  judge: ({ resources, documents }) => {
    const read = readDocumentsOf(documents);
    const listed = itemsOf(resources).filter(isUiResource);
    if (read.length === 0 && listed.length === 0) {
      return documents.length === 0 ? noWidgets : couldNotRun("No widget could be read.");
    }
    const judged = [
      ...listed.map((resource) => metaFaults(`${resource.uri} (listed)`, metaOf(resource))),
      ...read.flatMap(({ uri, contents }) =>
        contentsOf(contents).map((content) => metaFaults(uri, metaOf(content))),
      ),
    ];
    return verdictOf(
      judged.flatMap(({ faults }) => faults),
      judged.flatMap(({ warnings }) => warnings),
    );
  },
};

const listedForTool: AppsCheck = {
  id: "ui-resource-listed-for-tool",
  title: "Widgets that tools name are listed",
  description: "Each document a tool names stands in resources/list too, so that hosts can fetch it ahead.",
  category: "resources",
  rules: appsSpec("inferred", "Resource discovery", "resource-discovery"),
  needs: ["resources", "documents"],
  judge: ({ resources, documents }) => {
    const named = documents.filter((document) => document.named);
    if (named.length === 0) return noWidgets;
    if (!("items" in resources)) return notApplicable("There is no list of resources.");
    if (resources.truncated) return couldNotRun("The list of resources was not read to its end.");
    return verdictOf(
      named.filter(({ listed }) => !listed).map(({ uri }) => `${uri}: named by a tool, but not listed.`),
    );
  },
};

/** Entries of both dialects' policies, with where they stand. */
function policyOf(content: JsonObject): { where: string; entries: unknown[] }[] {
  const meta = metaOf(content);
  const own = uiOf(meta).csp;
  const other = meta["openai/widgetCSP"];
  return [own, other].flatMap((policy) =>
    Object.entries(isObject(policy) ? policy : {}).flatMap(([where, entries]) =>
      Array.isArray(entries) ? [{ where, entries }] : [],
    ),
  );
}

const cspWellformed: AppsCheck = {
  id: "ui-csp-domains-wellformed",
  title: "Content policies name origins, and all that are needed",
  description:
    "Entries are https or wss origins, wildcards only for a first label, no paths; advice where the source loads from an origin that is not named.",
  category: "resources",
  rules: appsSpec("SHOULD", "UI resource format", "ui-resource-format"),
  needs: ["documents"],
  judge: ({ documents }) => {
    const read = readDocumentsOf(documents);
    if (read.length === 0)
      return documents.length === 0 ? noWidgets : couldNotRun("No widget could be read.");
    const faults: string[] = [];
    const warnings: Finding[] = [];
    for (const { uri, contents } of read) {
      for (const content of contentsOf(contents)) {
        const policy = policyOf(content);
        for (const { where, entries } of policy) {
          for (const entry of entries) {
            const fault = cspEntryFault(entry);
            if (fault) faults.push(`${uri}: ${where} holds ${JSON.stringify(entry)}, which ${fault}.`);
          }
        }
        const named = policy.flatMap(({ entries }) => entries).filter((entry) => typeof entry === "string");
        for (const origin of loadedOrigins(widgetSource(content) ?? "")) {
          if (!isCovered(origin, named)) {
            warnings.push({
              word: "SHOULD",
              message: `${uri}: loads from ${origin}, which its policy does not name.`,
            });
          }
        }
      }
    }
    return faults.length + warnings.length === 0 ? passed() : verdictOf(faults, warnings);
  },
};

export const resourceChecks: readonly AppsCheck[] = [
  listedValid,
  readable,
  contentsValid,
  metaValid,
  listedForTool,
  cspWellformed,
];
