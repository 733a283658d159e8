import { expect, test } from "vitest";
import { ciFacts } from "./ci-facts.ts";

test.each<[string, Record<string, string>, object | undefined]>([
  ["no CI", { GIT_COMMIT: "abc" }, undefined],
  [
    "GitHub, a push",
    {
      GITHUB_ACTIONS: "true",
      GITHUB_SHA: "abc",
      GITHUB_REF: "refs/heads/main",
      GITHUB_REF_NAME: "main",
      GITHUB_HEAD_REF: "",
      GITHUB_SERVER_URL: "https://github.com",
      GITHUB_REPOSITORY: "o/r",
      GITHUB_RUN_ID: "7",
      GITHUB_JOB: "test",
    },
    {
      provider: "github",
      commitSha: "abc",
      branch: "main",
      runUrl: "https://github.com/o/r/actions/runs/7",
      pipelineId: "7",
      jobId: "test",
    },
  ],
  [
    "GitHub, a pull request",
    {
      GITHUB_ACTIONS: "true",
      GITHUB_SHA: "abc",
      GITHUB_REF: "refs/pull/12/merge",
      GITHUB_REF_NAME: "12/merge",
      GITHUB_HEAD_REF: "mine",
    },
    { provider: "github", commitSha: "abc", branch: "mine", pullRequest: "12" },
  ],
  [
    "GitLab",
    { GITLAB_CI: "true", CI_COMMIT_SHA: "abc", CI_COMMIT_REF_NAME: "b", CI_MERGE_REQUEST_IID: "3" },
    { provider: "gitlab", commitSha: "abc", branch: "b", pullRequest: "3" },
  ],
  [
    "CircleCI",
    { CIRCLECI: "true", CIRCLE_SHA1: "abc", CIRCLE_PULL_REQUEST: "https://github.com/o/r/pull/41" },
    { provider: "circleci", commitSha: "abc", pullRequest: "41" },
  ],
  [
    "Buildkite without a pull request",
    { BUILDKITE: "true", BUILDKITE_COMMIT: "abc", BUILDKITE_PULL_REQUEST: "false" },
    { provider: "buildkite", commitSha: "abc" },
  ],
  [
    "Azure",
    { TF_BUILD: "True", BUILD_SOURCEVERSION: "abc", BUILD_SOURCEBRANCH: "refs/heads/x/y" },
    { provider: "azure", commitSha: "abc", branch: "x/y" },
  ],
  [
    "Bitbucket",
    { BITBUCKET_BUILD_NUMBER: "9", BITBUCKET_COMMIT: "abc", BITBUCKET_PR_ID: "2" },
    { provider: "bitbucket", commitSha: "abc", pullRequest: "2", pipelineId: "9" },
  ],
  [
    "Jenkins",
    { JENKINS_URL: "http://j", GIT_COMMIT: "abc", GIT_BRANCH: "origin/x", CHANGE_ID: "5" },
    { provider: "jenkins", commitSha: "abc", branch: "origin/x", pullRequest: "5" },
  ],
  [
    "a text too long to be kept",
    { GITLAB_CI: "true", CI_COMMIT_SHA: "abc", CI_COMMIT_REF_NAME: "b".repeat(10_000) },
    { provider: "gitlab", commitSha: "abc" },
  ],
])("%s", (_what, env, facts) => {
  expect(ciFacts(env)).toEqual(facts);
});
