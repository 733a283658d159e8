/** @module What may be executed on a server: what the operator named, and the fixtures of the official suite on a server that has them. Nothing else, ever. */
import type { JsonObject } from "@fettle/mcp";

export interface Fixtures {
  toolCalls: readonly { toolName: string; arguments: JsonObject }[];
  promptGets: readonly { promptName: string; arguments: Record<string, string> }[];
}

export const noFixtures: Fixtures = { toolCalls: [], promptGets: [] };

/** The plainest tools of the official contract, by which a server that keeps to it is known. */
const telltales = [
  "test_simple_text",
  "test_image_content",
  "test_audio_content",
  "test_embedded_resource",
  "test_multiple_content_types",
  "test_error_handling",
];

/** A server that lists most of these is the fixture server it looks like; one tool of such a name alone is not. */
export function keepsOfficialContract(toolNames: readonly string[]): boolean {
  return telltales.filter((tool) => toolNames.includes(tool)).length >= 4;
}

/** Why the fixtures of the official suite are not looked for, in the same words everywhere. */
export const noFixtureServer =
  "The server is no fixture server of the official suite, so its tools and prompts are not used as fixtures.";
