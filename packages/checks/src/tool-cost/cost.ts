/** @module What a server's tools cost each time a model is asked anything: tokens per tool, as one host would send them. */
import { type HostProfile, isObject, type Tool, visibleTools } from "@fettle/mcp";
import { familyOf, type ModelFamily, toolTexts } from "./formats.ts";
import { type CountingRule, type CountTokens, countingRules, loadTokenCounter } from "./tokens.ts";

export interface ToolCost {
  name: string;
  tokens: number;
  /** Of these, for the name and description. */
  wordTokens: number;
  /** And for the parameters. */
  schemaTokens: number;
}

export interface HostCost {
  host: string;
  label: string;
  model: string;
  family: ModelFamily;
  accuracy: CountingRule["accuracy"];
  note: string;
  totalTokens: number;
  /** Most expensive first. */
  tools: ToolCost[];
  toolsDroppedVisibility: number;
  /** The host loads definitions only when they are needed, so this is the most it can cost. */
  loadsOnDemand: boolean;
}

/**
 * The cost on each host.
 *
 * @example
 * const [claude] = await toolCosts(tools, [await loadHost("claude")]);
 */
export async function toolCosts(tools: readonly Tool[], hosts: readonly HostProfile[]): Promise<HostCost[]> {
  const countTokens = await loadTokenCounter();
  return hosts.map((host) => hostCost(tools, host, countTokens));
}

export function hostCost(tools: readonly Tool[], host: HostProfile, countTokens: CountTokens): HostCost {
  const model = modelOf(host);
  const family = familyOf(model);
  const { accuracy, factor, note } = countingRules[family];
  const seen = visibleTools(host, tools);
  const count = (text: string) => Math.round(countTokens(text) * factor);
  const costs = seen.tools.map((tool): ToolCost => {
    const { words, schema } = toolTexts[family]({ ...tool, name: `${prefixOf(host)}${tool.name}` });
    const wordTokens = count(words);
    const schemaTokens = count(schema);
    return { name: tool.name, tokens: wordTokens + schemaTokens, wordTokens, schemaTokens };
  });
  return {
    host: host.id,
    label: host.label,
    model,
    family,
    accuracy,
    note,
    totalTokens: costs.reduce((sum, { tokens }) => sum + tokens, 0),
    tools: costs.toSorted((a, b) => b.tokens - a.tokens || (a.name < b.name ? -1 : 1)),
    toolsDroppedVisibility: seen.toolsDroppedVisibility,
    loadsOnDemand: host.progressiveToolDiscovery === true || limitsOf(host).deferredToolLoading === true,
  };
}

/** The model the host's template starts with; its family decides the format. */
function modelOf({ template }: HostProfile): string {
  const model = isObject(template) ? template.modelId : undefined;
  return typeof model === "string" ? model : "unknown";
}

/** Some hosts put the server's name before each tool's; the name itself varies, so a short one stands for it. */
function prefixOf(host: HostProfile): string {
  const { toolNamePrefix } = limitsOf(host);
  return typeof toolNamePrefix === "string" ? toolNamePrefix.replace("{server}", "server") : "";
}

function limitsOf({ limits }: HostProfile): Record<string, unknown> {
  return isObject(limits) ? limits : {};
}
