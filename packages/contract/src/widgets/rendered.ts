/** @module A widget of a saved server, made ready to be shown on a page. */
import { z } from "zod";
import { sourceLists, widgetPermissions } from "./declared.ts";
import { displayModes } from "./host.ts";
import { widgetLimits } from "./limits.ts";

const SourceLists = z.object(
  Object.fromEntries(sourceLists.map((list) => [list, z.array(z.string())])) as Record<
    (typeof sourceLists)[number],
    z.ZodArray<z.ZodString>
  >,
);

export const WidgetRequest = z
  .strictObject({
    resourceUri: z
      .string()
      .min(1)
      .max(widgetLimits.uriLength)
      .describe("The document, such as `ui://shop/shelf.html`"),
    hostId: z
      .string()
      .min(1)
      .max(widgetLimits.hostIdLength)
      .optional()
      .describe("The host to show it as; Fettle itself unless said"),
    network: z.enum(["declared", "none", "open"]).optional().describe("`open` on one's own machine only"),
  })
  .meta({ id: "WidgetRequest" });
export type WidgetRequest = z.output<typeof WidgetRequest>;

export const RenderedWidget = z
  .object({
    id: z.string(),
    documentUrl: z.string(),
    proxyUrl: z.string().describe("The frame to show: it holds the document, and passes messages on"),
    dialect: z.enum(["mcp", "openai"]),
    mimeType: z.string(),
    bytes: z.number().int(),
    sha256: z.string(),
    prefersBorder: z.boolean().optional(),
    displayModes: z.array(z.enum(displayModes)).describe("Those of the host it is shown as"),
    policy: z.object({
      header: z.string(),
      allow: z.string(),
      granted: z.object({ sources: SourceLists, permissions: z.array(z.enum(widgetPermissions)) }),
      dropped: z.array(
        z.object({ list: z.enum([...sourceLists, "permissions"]), entry: z.string(), reason: z.string() }),
      ),
    }),
    expiresAt: z.number().int(),
  })
  .meta({ id: "RenderedWidget" });
export type RenderedWidget = z.output<typeof RenderedWidget>;

export const WidgetRefusals = z
  .object({ items: z.array(z.object({ directive: z.string(), blocked: z.string() })) })
  .meta({ id: "WidgetRefusals" });
export type WidgetRefusals = z.output<typeof WidgetRefusals>;
