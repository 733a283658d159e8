/** @module Ids as types: an id of one kind is not an id of another, so two of them cannot be swapped unnoticed. */
import type { z } from "zod";
import type { IdKind } from "./id-prefixes.ts";

/** Any text can be read where an id is asked to be shown; only what was made, stored or parsed as this kind can be used as one. */
export type Id<Kind extends IdKind> = string & z.core.$brand<Kind>;

export type AgentActionId = Id<"agentAction">;
export type AgentTurnId = Id<"agentTurn">;
export type ApiKeyId = Id<"apiKey">;
export type AuditEntryId = Id<"auditEntry">;
export type CalibrationId = Id<"calibration">;
export type CatalogServerId = Id<"catalogServer">;
export type ChatSessionId = Id<"chatSession">;
export type ChatTurnId = Id<"chatTurn">;
export type ClientId = Id<"client">;
export type ComputerId = Id<"computer">;
export type ConformanceRunId = Id<"conformanceRun">;
export type ReadinessRunId = Id<"readinessRun">;
export type DeviceId = Id<"device">;
export type EnvironmentId = Id<"environment">;
export type EvalArtifactId = Id<"evalArtifact">;
export type EvalCaseId = Id<"evalCase">;
export type EvalCheckRepoId = Id<"evalCheckRepo">;
export type EvalIterationId = Id<"evalIteration">;
export type EvalRunGroupId = Id<"evalRunGroup">;
export type EvalRunId = Id<"evalRun">;
export type EvalSuiteId = Id<"evalSuite">;
export type GateWaiverId = Id<"gateWaiver">;
export type HistoryEntryId = Id<"historyEntry">;
export type InvitationId = Id<"invitation">;
export type JourneyId = Id<"journey">;
export type JourneyRunId = Id<"journeyRun">;
export type JobId = Id<"job">;
export type NoticeId = Id<"notice">;
export type OrganizationId = Id<"organization">;
export type PersonaId = Id<"persona">;
export type PluginId = Id<"plugin">;
export type PluginVersionId = Id<"pluginVersion">;
export type ProjectId = Id<"project">;
export type RegistryCardId = Id<"registryCard">;
export type RegistryConnectionId = Id<"registryConnection">;
export type SavedCallId = Id<"savedCall">;
export type ScenarioId = Id<"scenario">;
export type ScenarioMemberId = Id<"scenarioMember">;
export type ServerConnectionId = Id<"serverConnection">;
export type ServerGroupId = Id<"serverGroup">;
export type ServerId = Id<"server">;
export type SandboxImageBuildId = Id<"sandboxImageBuild">;
export type SandboxImageId = Id<"sandboxImage">;
export type SkillId = Id<"skill">;
export type SwarmId = Id<"swarm">;
export type UserId = Id<"user">;
export type VisitorId = Id<"visitor">;
export type WebhookDeliveryId = Id<"webhookDelivery">;
export type WebhookId = Id<"webhook">;

/** What each name in a path stands for; where several kinds share a name, by what stands before it. The rest stays text. */
interface KindOfParameter {
  "/conformance-runs/{runId}": "conformanceRun";
  "/readiness-runs/{runId}": "readinessRun";
  "/chat-sessions/{sessionId}": "chatSession";
  "/sessions/{sessionId}": "chatSession";
  "/eval-runs/{runId}": "evalRun";
  "/journey-runs/{runId}": "journeyRun";
  actionId: "agentAction";
  calibrationId: "calibration";
  callId: "savedCall";
  caseId: "evalCase";
  entryId: "historyEntry";
  deliveryId: "webhookDelivery";
  environmentId: "environment";
  hostId: "client";
  invitationId: "invitation";
  iterationId: "evalIteration";
  keyId: "apiKey";
  organizationId: "organization";
  pluginId: "plugin";
  pluginVersionId: "pluginVersion";
  projectId: "project";
  requestId: "serverConnection";
  runGroupId: "evalRunGroup";
  scenarioId: "scenario";
  personaId: "persona";
  journeyId: "journey";
  swarmId: "swarm";
  serverId: "server";
  imageId: "sandboxImage";
  skillId: "skill";
  suiteId: "evalSuite";
  turnId: "chatTurn";
  userId: "user";
  waiverId: "gateWaiver";
  webhookId: "webhook";
}

export type ParameterValue<Before extends string, Name extends string> = Name extends keyof KindOfParameter
  ? Id<KindOfParameter[Name]>
  : `${Before}{${Name}}` extends infer Place extends keyof KindOfParameter
    ? Id<KindOfParameter[Place]>
    : string;
