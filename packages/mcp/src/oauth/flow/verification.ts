/** @module The last proof of a token: a real connection with it that lists the tools, and calls one if asked to. */

import { limits } from "@fettle/contract/core";
import { counted } from "@fettle/contract/formats";
import { eraOfVersion } from "../../eras/era.ts";
import { asMcpError, McpError } from "../../failure.ts";
import type { NetworkPolicy } from "../../guard/policy.ts";
import { isObject, type JsonObject } from "../../messages/jsonrpc.ts";
import { redactKnowing } from "../../recording/known-secrets.ts";
import { Recorder } from "../../recording/recording.ts";
import { connect } from "../../session/connect.ts";
import { type FlowStep, type FlowStepId, flowSteps } from "./flow-step.ts";
import { withoutCredential } from "./mcp-question.ts";
import { failureOf } from "./telling.ts";

export interface Verification {
  listTools?: { passed: boolean; toolCount?: number; durationMs: number; error?: string };
  callTool?: { passed: boolean; toolName: string; durationMs: number; error?: string };
}

export interface VerificationOptions {
  serverUrl: string;
  headers?: Record<string, string> | undefined;
  accessToken: string;
  /** How the server is to be spoken to, where a version was asked for; within its era the server may choose. */
  protocolVersion?: string | undefined;
  /** Called after the list, with exactly these arguments. */
  callTool?: { name: string; params: JsonObject } | undefined;
  timeoutMs?: number | undefined;
  policy?: NetworkPolicy | undefined;
  clientInfo?: { name: string; version: string } | undefined;
  /** Values that must not show up in the record. */
  secrets?: readonly string[] | undefined;
}

const defaultTimeoutMs = limits.request.ms.fallback;

export async function verifyToken(
  options: VerificationOptions,
): Promise<{ verification: Verification; steps: FlowStep[] }> {
  const { serverUrl, accessToken, callTool } = options;
  const headers = withoutCredential(options.headers);
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  const secrets = [accessToken, ...Object.values(headers), ...(options.secrets ?? [])];
  const recorder = new Recorder({ label: serverUrl, secrets });
  const steps: FlowStep[] = [];
  const verification: Verification = {};
  let told = 0;
  const step = async (id: FlowStepId, work: () => Promise<string>) => {
    const started = performance.now();
    const record: FlowStep = {
      step: id,
      title: flowSteps[id],
      summary: "",
      status: "passed",
      durationMs: 0,
      decisions: [],
      notes: [],
      warnings: [],
      exchanges: [],
    };
    steps.push(record);
    try {
      record.summary = await work();
    } catch (error) {
      const failure = asMcpError(error);
      record.status = "failed";
      record.summary = failure.message;
      record.failure = redactKnowing(failureOf(failure), secrets);
    }
    record.durationMs = Math.round(performance.now() - started);
    const exchanges = recorder.read().entries.filter((entry) => entry.kind === "http");
    record.exchanges = exchanges.slice(told);
    told = exchanges.length;
    return record;
  };
  const target = { kind: "http" as const, url: serverUrl, headers, accessToken, transport: "auto" as const };
  const opening = connect(target, {
    ...(options.protocolVersion !== undefined && { era: eraOfVersion(options.protocolVersion) }),
    timeouts: { connectMs: timeoutMs, idleMs: timeoutMs, totalMs: timeoutMs },
    recorder,
    ...(options.policy && { policy: options.policy }),
    ...(options.clientInfo && { clientInfo: options.clientInfo }),
  });
  let toolCount: number | undefined;
  const listed = await step("verify_list_tools", async () => {
    const { items } = await (await opening).listTools();
    toolCount = items.length;
    return `The server lists ${counted(items.length, "tool")}.`;
  });
  verification.listTools = {
    passed: listed.status === "passed",
    ...(toolCount !== undefined && { toolCount }),
    durationMs: listed.durationMs,
    ...(listed.failure && { error: listed.summary }),
  };
  if (callTool && listed.status === "passed") {
    const called = await step("verify_call_tool", async () => {
      const result = await (await opening).callTool(callTool.name, callTool.params);
      if (isObject(result) && result.isError === true) {
        throw new McpError("INVALID_RESULT", `The tool ${callTool.name} reports an error.`);
      }
      return `The tool ${callTool.name} answers.`;
    });
    verification.callTool = {
      passed: called.status === "passed",
      toolName: callTool.name,
      durationMs: called.durationMs,
      ...(called.failure && { error: called.summary }),
    };
  }
  await opening.then((connection) => connection.close()).catch(() => {});
  return { verification, steps };
}
