/** @module URI templates as checks use them: with plain text values only. What one is and becomes, the contract says. */
import { expandTemplate as expand, parseTemplate } from "@fettle/contract/formats";

export function isTemplate(template: string): boolean {
  return parseTemplate(template).ok;
}

export function variablesOf(template: string): string[] {
  const parsed = parseTemplate(template);
  return parsed.ok ? parsed.variables.map(({ name }) => name) : [];
}

/** The URI for these values, or undefined when the template is not well formed. */
export function expandTemplate(template: string, values: Record<string, string>): string | undefined {
  const parsed = parseTemplate(template);
  return parsed.ok ? expand(parsed, values) : undefined;
}
