/** @module What a server promises and does not keep, or asks for without saying how: schemas, descriptions, annotations, errors without words. */
import { groupBy, terms, type VerbClass, verbClasses } from "@fettle/contract/formats";
import { fieldsOf } from "../observed/fields.ts";
import type { PinnedTool } from "../observed/surface.ts";
import { counted } from "../text/scrub.ts";
import { always, type Detector, everywhere, once, type Shown, twice, type World } from "./detector.ts";
import { ownerOf } from "./error-owner.ts";
import { fieldNamed, isExplained, schemaPath, toolAt } from "./schema-path.ts";
import { at, byTool, callsByTool, hitOf, toolSubject } from "./sights.ts";

const ofContract = {
  scopes: everywhere,
  category: "tool_contract",
  attribution: "server_contract",
  actionTarget: "mcp_server",
  actionability: "ready",
} as const;

/** From here on a result crowds out the conversation. */
const large = { bytes: 50_000, calls: 3 };
const bounding =
  /^(?:limit|max|count|size|page|per_?page|page_?size|cursor|offset|fields|select|first|top|page_?token)/i;
const changing: ReadonlySet<VerbClass> = new Set(["delete", "create", "update", "send"]);

/** The definition says what the field takes, and only one kind of agent misses it. */
const isAgents = ({ place, contributors }: Pick<Shown, "place" | "contributors">, { surface }: World) =>
  contributors < 2 && isExplained(toolAt(surface, place)?.inputSchema, place.fieldPath ?? "");

export const contractDetectors: readonly Detector[] = [
  {
    ...ofContract,
    id: "schema_invalid_args",
    *see(unit) {
      for (const calls of callsByTool(unit).values()) {
        const [{ serverId, toolName }] = calls;
        // What a test sends itself, nobody misunderstood.
        const chosen = calls.filter(({ isPinned }) => !isPinned);
        const faults = chosen.flatMap((call) => call.issues.map((issue) => ({ call, issue })));
        const alike = groupBy(faults, ({ issue }) => `${issue.path}\n${issue.keyword}`);
        yield {
          subject: toolSubject(serverId, toolName),
          hits: [...alike.values()].map((same) => {
            const { path, keyword } = same[0].issue;
            const place = { serverId, toolName, fieldPath: schemaPath(path), template: keyword };
            const seen = `"${toolName}" was called with an invalid "${path}" (${keyword}).`;
            return {
              ...hitOf(
                place,
                same.map(({ call }) => call),
              ),
              seen,
            };
          }),
        };
      }
    },
    weight: 0.75,
    surface: "input_schema",
    means: (shown, world) =>
      isAgents(shown, world)
        ? {
            attribution: "agent_or_prompt",
            actionTarget: "agent_configuration",
            actionability: "investigate",
          }
        : {},
    isProven: twice,
    evidence: ["tool_error", "transcript"],
    texts: {
      title: ({ tool, field, words }) => `${tool}${field && `.${field}`} is often filled wrongly (${words})`,
      phrase: "arguments do not fit the schema",
      observed: ({ times, tool, field, words, count, total, unit }) =>
        `${counted(times, "call")} to "${tool}" sent an invalid "${field}" (${words}) in ${count} of ${total} ${unit}`,
      recommendation: (told, world) =>
        isAgents(told, world)
          ? `The definition says what "${told.field}" takes: show the agent an example of it, or try another model.`
          : `State in the input schema what "${told.field}" takes (a format, an enum or an example), and say it again in the description.`,
      rootCause: (told, world) =>
        isAgents(told, world)
          ? `The agent does not follow what the definition says of "${told.field}" ("${told.words}").`
          : `What "${told.field}" takes cannot be read from its definition well enough: "${told.words}" is missed again and again.`,
      acceptance: ({ field }) =>
        `A call with a "${field}" as it was sent is rejected with a message that names the accepted form, or accepted`,
      patternSlug: "example-values",
    },
  },
  {
    ...ofContract,
    id: "server_rejects_valid_args",
    see: byTool((call, unit, { surface }) =>
      ownerOf(call, unit) === "server_rejects_valid_args"
        ? {
            ...at(call),
            fieldPath: fieldNamed(call.template, surface.find(call.serverId, call.toolName)),
            errorClass: call.errorClass,
            template: call.template,
          }
        : null,
    ),
    isRefutedBySuccess: true,
    weight: 1,
    surface: "input_schema",
    isProven: always,
    evidence: ["tool_error", "contrast"],
    texts: {
      title: ({ tool, words }) => `${tool} rejects arguments that its schema allows: ${words}`,
      phrase: "rejects arguments that its schema allows",
      observed: ({ times, tool, words, count, total, unit }) =>
        `${counted(times, "call")} of "${tool}" with valid arguments were rejected in ${count} of ${total} ${unit}: "${words}"`,
      recommendation:
        "Put the rule that the handler enforces into the input schema, so that it can be kept before calling.",
      rootCause: "The handler enforces a rule that the input schema does not state.",
      acceptance: ({ tool }) =>
        `Arguments that fit the input schema of ${tool} are accepted, or the schema rules them out`,
      patternSlug: "enum-not-prose",
    },
  },
  {
    ...ofContract,
    id: "output_schema_violation",
    see: byTool((call) =>
      call.output === "violates"
        ? { ...at(call), fieldPath: schemaPath(call.outputPath ?? "") || null }
        : null,
    ),
    least: once,
    weight: 1,
    surface: "output_schema",
    isProven: always,
    evidence: ["transcript"],
    texts: {
      phrase: "structured content breaks its own output schema",
      recommendation: ({ field }) =>
        `Make the result and the output schema agree${field === "" ? "" : ` about "${field}"`}.`,
      rootCause: "The tool returns structured content that its declared output schema does not allow.",
      acceptance: ({ tool }) => `Structured content of ${tool} validates against its outputSchema`,
      patternSlug: "structured-output",
    },
  },
  {
    ...ofContract,
    id: "missing_structured_content",
    see: byTool((call) => (call.output === "missing" ? at(call) : null)),
    least: once,
    weight: 0.75,
    surface: "output_schema",
    isProven: always,
    evidence: ["transcript"],
    texts: {
      phrase: "declares an output schema and returns no structured content",
      recommendation: "Return structured content beside the text, or withdraw the output schema.",
      rootCause: "An output schema is declared, and successful results carry text alone.",
      acceptance: ({ tool }) => `Structured content of ${tool} validates against its outputSchema`,
      patternSlug: "structured-output",
    },
  },
  {
    ...ofContract,
    id: "opaque_errors",
    see: byTool((call, unit) =>
      ownerOf(call, unit) === "opaque_errors"
        ? { ...at(call), errorClass: call.errorClass, template: call.template }
        : null,
    ),
    isRefutedBySuccess: true,
    weight: 0.75,
    surface: "handler",
    isProven: twice,
    evidence: ["tool_error"],
    texts: {
      phrase: "errors do not say what went wrong",
      observed: ({ times, tool, words, count, total, unit }) =>
        `${counted(times, "failed call")} of "${tool}" said only "${words}" in ${count} of ${total} ${unit}`,
      recommendation: "Return what was wrong and what to send instead.",
      rootCause: "The error says nothing to act on, so the call is repeated or given up.",
      acceptance: ({ tool }) => `Every error of ${tool} names what was wrong and what to send instead`,
      patternSlug: "recovery-guide",
    },
  },
  {
    ...ofContract,
    id: "oversized_result",
    see: byTool(
      (call) => ((call.resultBytes ?? 0) > large.bytes ? at(call) : null),
      ({ resultBytes }) => resultBytes,
    ),
    least: once,
    fires: ({ values }) => values.count >= large.calls && (values.at(0.95) ?? 0) > large.bytes,
    weight: 0.5,
    surface: "input_schema",
    means: ({ place }, { surface }) =>
      isBounded(toolAt(surface, place)) ? { actionability: "investigate" } : {},
    isProven: ({ place }, { surface }) => !isBounded(toolAt(surface, place)),
    evidence: ["transcript"],
    texts: {
      phrase: "results are very large",
      observed: ({ tool, values }) =>
        `"${tool}" returned up to ${values.at(0.95)} bytes in 95 of 100 calls (${counted(values.count, "call")})`,
      recommendation: "Offer a limit, a page or a choice of fields, with a modest default.",
      rootCause: "The tool has no parameter that bounds its result.",
      acceptance: ({ tool }) => `A default call of ${tool} returns less than ${large.bytes} bytes`,
      patternSlug: "bounded-results",
    },
  },
  {
    ...ofContract,
    id: "misleading_annotation",
    see: byTool((call, _unit, { surface }) =>
      isMisleading(surface.find(call.serverId, call.toolName)) ? at(call) : null,
    ),
    least: once,
    weight: 0.75,
    surface: "capability",
    isProven: always,
    evidence: ["transcript"],
    texts: {
      phrase: "its annotations contradict what it does",
      recommendation: "Make readOnlyHint and destructiveHint say what the tool really does.",
      rootCause:
        "The annotations call the tool read-only, while its name or its other annotations say that it changes something.",
      acceptance: ({ tool }) => `The annotations of ${tool} agree with its name and with one another`,
      patternSlug: "honest-annotations",
    },
  },
];

const isBounded = (tool: PinnedTool | undefined) =>
  Object.keys(fieldsOf(tool?.inputSchema.properties)).some((name) => bounding.test(name));

/** Called read-only, and named or annotated as changing something. */
function isMisleading(tool: PinnedTool | undefined): boolean {
  const { readOnlyHint, destructiveHint } = tool?.annotations ?? {};
  if (!tool || readOnlyHint !== true) return false;
  const said = [terms(tool.name)[0], terms(tool.description ?? "")[0]].filter((word) => word !== undefined);
  return destructiveHint === true || !verbClasses(said).isDisjointFrom(changing);
}
