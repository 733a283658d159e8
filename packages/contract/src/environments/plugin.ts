/** @module A plugin: a bundle of skills and servers with versions, of which one is active. */
import { z } from "zod";
import { Timestamp } from "../core/timestamp.ts";

export const Plugin = z
  .object({
    id: z.string(),
    projectId: z.string(),
    name: z.string(),
    displayName: z.string().optional(),
    description: z.string().optional(),
    enabled: z.boolean(),
    activeVersionId: z.string().optional(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "Plugin" });
export type Plugin = z.output<typeof Plugin>;

const component = { componentId: z.string(), componentKey: z.string(), declaredName: z.string() };

export const PluginVersion = z
  .object({
    id: z.string(),
    pluginId: z.string(),
    declaredVersion: z.string().optional(),
    bundleHash: z.string(),
    manifestHash: z.string().optional(),
    status: z.enum(["staging", "ready", "invalid"]),
    problems: z.array(z.string()).describe("Why it is invalid"),
    componentCounts: z.object({
      skills: z.int(),
      servers: z.int(),
      apps: z.int(),
      assets: z.int(),
      unsupported: z.int(),
    }),
    servers: z.array(
      z.object({
        ...component,
        placement: z.enum(["remote", "local", "computer"]),
        authenticationPolicy: z.enum(["on_install", "on_use"]),
        materializedServerId: z.string(),
      }),
    ),
    skills: z.array(
      z.object({
        ...component,
        modelRef: z.string().describe("How a model names it: <plugin>/<skill>"),
        materializedSkillId: z.string(),
      }),
    ),
    createdAt: Timestamp,
    readyAt: Timestamp.optional(),
  })
  .meta({ id: "PluginVersion" });
export type PluginVersion = z.output<typeof PluginVersion>;
