/** @module The form of a client's config: its schema as the contract has it, and its fields under headings. */
import { clientConfigSchema } from "@fettle/contract/environments";
import type { ReactNode } from "react";
import type { FieldGroup } from "../../kit/schema-form/field-groups.tsx";
import type { Json } from "../../lib/json-exact.ts";

const { modelId, ...others } = clientConfigSchema.properties;
// Without its bound on length, which would make a box for many lines of it.
const { maxLength: _, ...oneLine } = modelId;

/** The service holds every field to the contract; the form only draws it. */
export const configSchema: Json = {
  ...(clientConfigSchema as { type: string; required: string[]; additionalProperties: Json }),
  properties: { modelId: oneLine, ...others } as Record<string, Json>,
};

export function configGroups(servers: ReactNode): readonly FieldGroup[] {
  return [
    { title: "Model", fields: ["modelId", "systemPrompt", "temperature", "harness"] },
    { title: "Identity", fields: ["hostStyle", "hostContext", "chatUiOverride"] },
    {
      title: "Tools and skills",
      fields: [
        "requireToolApproval",
        "respectToolVisibility",
        "progressiveToolDiscovery",
        "builtInToolIds",
        "skillSelection",
        "modelVisibleMcpToolResults",
        "mcpToolResultImageRendering",
      ],
    },
    { title: "Protocol", fields: ["mcpProfile", "clientCapabilities"] },
    { title: "Apps", fields: ["hostCapabilitiesOverride"] },
    { title: "Sandbox", fields: ["computer"] },
    { title: "Servers", fields: ["serverIds", "optionalServerIds"], instead: servers },
    { title: "Connection", fields: ["connectionDefaults", "serverConnectionOverrides", "oauthProfile"] },
  ];
}
