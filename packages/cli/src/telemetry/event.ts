/** @module What telemetry would say about one run: command words and outcome, never an argument, address, name or message. Pure. */
import { exitCodes } from "@fettle/contract/core";
import { version } from "../version.ts";

export interface CommandEvent {
  event: "cli_command";
  platform: "cli";
  command: string;
  success: boolean;
  exit_code: number;
  duration_ms: number;
  error_code?: string;
  cli_version: string;
  os: string;
  arch: string;
  node_version: string;
  is_ci: boolean;
  ci_name?: string;
  install_id: string | null;
}

export interface FinishedRun {
  /** The declared words, so that nothing typed can get in. */
  command: string;
  exitCode: number;
  durationMs: number;
  /** The code printed, if it failed. */
  errorCode: string | undefined;
  installId: string | null;
  env: NodeJS.ProcessEnv;
}

export function commandEvent(run: FinishedRun): CommandEvent {
  const ciName = ciNameOf(run.env);
  return {
    event: "cli_command",
    platform: "cli",
    command: run.command,
    success: run.exitCode === exitCodes.ok,
    exit_code: run.exitCode,
    duration_ms: Math.round(run.durationMs),
    ...(run.errorCode && { error_code: errorKind(run.errorCode) }),
    cli_version: version,
    os: process.platform,
    arch: process.arch,
    node_version: process.versions.node,
    is_ci: ciName !== undefined,
    ...(ciName && { ci_name: ciName }),
    install_id: run.installId,
  };
}

const kinds = new Map(
  Object.entries({
    USAGE_ERROR: "USAGE_ERROR",
    TIMEOUT: "TIMEOUT",
    UNAUTHORIZED: "AUTH_FAILED",
    FORBIDDEN: "AUTH_FAILED",
    OAUTH_REQUIRED: "AUTH_FAILED",
    SERVER_UNREACHABLE: "NETWORK_ERROR",
    MCP_ERROR: "SERVER_ERROR",
    INVALID_ANSWER: "SERVER_ERROR",
    INTERNAL_ERROR: "SERVER_ERROR",
    UNAVAILABLE: "SERVER_ERROR",
  }),
);

function errorKind(code: string): string {
  return kinds.get(code) ?? "UNKNOWN_ERROR";
}

const ciVariables = [
  ["GITHUB_ACTIONS", "github_actions"],
  ["GITLAB_CI", "gitlab_ci"],
  ["CIRCLECI", "circleci"],
  ["BUILDKITE", "buildkite"],
  ["JENKINS_URL", "jenkins"],
  ["VERCEL", "vercel"],
  ["NETLIFY", "netlify"],
  ["CI", "unknown"],
] as const;

function ciNameOf(env: NodeJS.ProcessEnv): string | undefined {
  return ciVariables.find(([variable]) => env[variable])?.[1];
}
