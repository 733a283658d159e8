/** @module Where the code under test comes from, read from what a CI system says of itself: commit, branch, pull request, and where to look. */
import { limits } from "@fettle/contract/core";
import type { CiInfo } from "@fettle/contract/evals";

type Env = Readonly<Record<string, string | undefined>>;
type Facts = Omit<CiInfo, "provider">;

interface CiSystem {
  provider: string;
  /** Set by this system alone. */
  known: string;
  facts(env: Env): { [Field in keyof Facts]: string | undefined };
}

const numberIn = (text: string | undefined) => text?.match(/\d+/)?.[0];
const joined = (...parts: (string | undefined)[]) => (parts.every(Boolean) ? parts.join("/") : undefined);
const bare = (ref: string | undefined) => ref?.replace(/^refs\/heads\//, "");

const systems: readonly CiSystem[] = [
  {
    provider: "github",
    known: "GITHUB_ACTIONS",
    facts: (env) => ({
      commitSha: env.GITHUB_SHA,
      branch: env.GITHUB_HEAD_REF || env.GITHUB_REF_NAME,
      pullRequest: env.GITHUB_REF?.match(/^refs\/pull\/(\d+)\//)?.[1],
      runUrl: joined(env.GITHUB_SERVER_URL, env.GITHUB_REPOSITORY, "actions/runs", env.GITHUB_RUN_ID),
      pipelineId: env.GITHUB_RUN_ID,
      jobId: env.GITHUB_JOB,
    }),
  },
  {
    provider: "gitlab",
    known: "GITLAB_CI",
    facts: (env) => ({
      commitSha: env.CI_COMMIT_SHA,
      branch: env.CI_MERGE_REQUEST_SOURCE_BRANCH_NAME || env.CI_COMMIT_REF_NAME,
      pullRequest: env.CI_MERGE_REQUEST_IID,
      runUrl: env.CI_JOB_URL,
      pipelineId: env.CI_PIPELINE_ID,
      jobId: env.CI_JOB_ID,
    }),
  },
  {
    provider: "circleci",
    known: "CIRCLECI",
    facts: (env) => ({
      commitSha: env.CIRCLE_SHA1,
      branch: env.CIRCLE_BRANCH,
      pullRequest: env.CIRCLE_PULL_REQUEST?.match(/(\d+)$/)?.[1],
      runUrl: env.CIRCLE_BUILD_URL,
      pipelineId: env.CIRCLE_WORKFLOW_ID,
      jobId: env.CIRCLE_JOB,
    }),
  },
  {
    provider: "buildkite",
    known: "BUILDKITE",
    facts: (env) => ({
      commitSha: env.BUILDKITE_COMMIT,
      branch: env.BUILDKITE_BRANCH,
      // "false" where there is none.
      pullRequest: numberIn(env.BUILDKITE_PULL_REQUEST),
      runUrl: env.BUILDKITE_BUILD_URL,
      pipelineId: env.BUILDKITE_BUILD_ID,
      jobId: env.BUILDKITE_JOB_ID,
    }),
  },
  {
    provider: "azure",
    known: "TF_BUILD",
    facts: (env) => ({
      commitSha: env.BUILD_SOURCEVERSION,
      branch: bare(env.SYSTEM_PULLREQUEST_SOURCEBRANCH || env.BUILD_SOURCEBRANCH),
      pullRequest: env.SYSTEM_PULLREQUEST_PULLREQUESTNUMBER || env.SYSTEM_PULLREQUEST_PULLREQUESTID,
      runUrl: undefined,
      pipelineId: env.BUILD_BUILDID,
      jobId: env.SYSTEM_JOBID,
    }),
  },
  {
    provider: "bitbucket",
    known: "BITBUCKET_BUILD_NUMBER",
    facts: (env) => ({
      commitSha: env.BITBUCKET_COMMIT,
      branch: env.BITBUCKET_BRANCH,
      pullRequest: env.BITBUCKET_PR_ID,
      runUrl: undefined,
      pipelineId: env.BITBUCKET_BUILD_NUMBER,
      jobId: env.BITBUCKET_STEP_UUID,
    }),
  },
  {
    provider: "jenkins",
    known: "JENKINS_URL",
    facts: (env) => ({
      commitSha: env.GIT_COMMIT,
      branch: env.CHANGE_BRANCH || env.BRANCH_NAME || env.GIT_BRANCH,
      pullRequest: env.CHANGE_ID,
      runUrl: env.BUILD_URL,
      pipelineId: env.BUILD_TAG,
      jobId: env.JOB_NAME,
    }),
  },
];

/**
 * Undefined outside CI. What is blank or absurdly long is left out: a launch is not refused for what its surroundings say.
 *
 * @example
 * ciFacts({ GITLAB_CI: "true", CI_COMMIT_SHA: "1f0c…" }); // { provider: "gitlab", commitSha: "1f0c…" }
 */
export function ciFacts(env: Env): CiInfo | undefined {
  const system = systems.find(({ known }) => env[known]);
  if (!system) return undefined;
  const said = Object.entries(system.facts(env)).flatMap(([field, value]) => {
    const text = value?.trim() ?? "";
    return text === "" || text.length > limits.text.addressLength ? [] : [[field, text]];
  });
  return { provider: system.provider, ...Object.fromEntries(said) };
}
