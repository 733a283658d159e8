export { clientConfigSchema } from "../../generated/client-config-schema.ts";
export {
  Client,
  ClientConfig,
  type ClientCreateRequest,
  type ClientDeleteRequest,
  ClientDetail,
  ClientImpact,
  type ClientServersRequest,
  type ClientSettings,
  type ClientTemplate,
  type ClientUpdateRequest,
  type Host,
  type HostDetail,
  type HostUpdateRequest,
} from "./client.ts";
export {
  type ClientField,
  type ClientTemplateId,
  clientFields,
  clientTemplateIds,
  type Theme,
  themes,
} from "./client-fields.ts";
export {
  AdhocEnvironment,
  type AdhocEnvironmentRequest,
  Environment,
  type EnvironmentCreateRequest,
  type EnvironmentNameRequest,
  type EnvironmentUpdateRequest,
  type ExpectedRevision,
  type ResolvedEnvironment,
  SkillSelection,
} from "./environment.ts";
export type { FileMap } from "./file-map.ts";
export { type HarnessTool, harnesses } from "./harness.ts";
export { HostCatalog } from "./host-catalog.ts";
export { Plugin, PluginVersion } from "./plugin.ts";
export { type Pinnability, Skill, SkillCheck, SkillDetail, SkillFiles } from "./skill.ts";
