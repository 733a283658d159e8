/** @module `cloud images`: what a computer is started from, written down as a blueprint. */
import { exitCodes } from "@fettle/contract/core";
import type { SandboxImageBuild } from "@fettle/contract/sandboxes";
import { operationCommand } from "../../cloud/operation-command.ts";
import { lines, style, type Text, text } from "../../output/text.ts";
import { group } from "../../program/command.ts";
import { flags } from "../../program/flag.ts";

const image = { parameter: "imageId", find: "image", value: "id-or-name", help: "The image" } as const;
const blueprint = flags({
  file: { kind: "text", value: "path", required: true, help: "The blueprint in YAML, or - for stdin" },
});
const changed = flags({
  file: { kind: "text", value: "path", help: "The new blueprint in YAML, or - for stdin" },
});
const name = { field: "name", help: "Its name" } as const;

function buildLog(builds: readonly SandboxImageBuild[]): Text {
  if (builds.length === 0) return text`No builds yet`;
  return lines(
    builds.flatMap(({ id, status, createdAt, logPreview = "", error }) => [
      text`${style.bold(id)} ${buildMarks[status]} ${style.dim(new Date(createdAt).toISOString())}`,
      ...logPreview
        .trimEnd()
        .split("\n")
        .filter(Boolean)
        .map((line) => text`  ${line}`),
      ...(error === undefined || logPreview.trimEnd().endsWith(error) ? [] : [text`  ${style.red(error)}`]),
    ]),
  );
}

const buildMarks = {
  queued: style.dim("queued"),
  building: style.yellow("building"),
  ready: style.green("ready"),
  failed: style.red("failed"),
} as const;

export const cloudImagesCommands = [
  group({
    name: "cloud images",
    section: "cloud",
    summary: "Sandbox images: shared ones and your own drafts",
  }),
  operationCommand({
    operation: "listSandboxImages",
    name: "cloud images list",
    summary: "List images",
    examples: { "Shared images and your own drafts": "fettle cloud images list" },
    shows: {
      noun: "image",
      table: {
        ID: "id",
        NAME: "name",
        SHARING: "sharing",
        BUILD: ({ currentBuild }) => currentBuild?.status ?? style.dim("none"),
      },
      shrinks: ["NAME"],
    },
  }),
  operationCommand({
    operation: "getSandboxImage",
    name: "cloud images get",
    summary: "Show an image with its blueprint",
    flags: { image },
    examples: { "By id or name": "fettle cloud images get --image desk" },
    shows: "outline",
  }),
  operationCommand({
    operation: "validateSandboxImageBlueprint",
    name: "cloud images validate",
    summary: "Lint a blueprint without saving it",
    flags: blueprint,
    examples: {
      "A file": "fettle cloud images validate --file image.yaml",
      "Of another program": "fettle cloud images validate --file -",
    },
    body: ({ flags: { file }, input }) => input.file("--file", file).then((blueprint) => ({ blueprint })),
    shows: {
      text: (answer) =>
        answer.ok
          ? text`${style.green("ok")} ${answer.baseImageDigest}`
          : lines(
              answer.errors.map(
                ({ path, message }) =>
                  text`${style.red("✗")} ${path === "" ? message : `${path}: ${message}`}`,
              ),
            ),
    },
    exitCode: ({ ok }) => (ok ? exitCodes.ok : exitCodes.failed),
  }),
  operationCommand({
    operation: "createSandboxImage",
    name: "cloud images create",
    summary: "Save a draft of an image, which is yours until it is shared",
    flags: { name, ...blueprint },
    examples: { Create: "fettle cloud images create --name desk --file image.yaml" },
    body: ({ flags: { file }, input }, fields) =>
      input.file("--file", file).then((blueprint) => ({ ...fields, blueprint })),
    shows: { done: "Created" },
  }),
  operationCommand({
    operation: "updateSandboxImage",
    name: "cloud images edit",
    summary: "Rename an image, or change its blueprint",
    flags: { image, name, ...changed },
    changes: true,
    examples: { "A new blueprint": "fettle cloud images edit --image desk --file image.yaml" },
    body: async ({ flags: { file }, input }, fields) => ({
      ...fields,
      ...(file !== undefined && { blueprint: await input.file("--file", file) }),
    }),
    shows: { done: "Updated" },
  }),
  operationCommand({
    operation: "buildSandboxImage",
    name: "cloud images build",
    summary: "Start building an image; what is identical is not built twice",
    flags: { image },
    examples: { Build: "fettle cloud images build --image desk" },
    shows: {
      text: ({ buildId, reused }) =>
        text`${style.green("✓")} ${reused ? "Nothing to build: it is the same as before" : "Building"} ${style.dim(`(${buildId})`)}`,
    },
    next: ({ id }) => `fettle cloud images logs --image ${id}`,
  }),
  operationCommand({
    operation: "listSandboxImageBuilds",
    name: "cloud images logs",
    summary: "Show an image's builds, newest first, each with the end of its log",
    flags: { image },
    examples: {
      "How the build goes": "fettle cloud images logs --image desk",
      "For a script that waits": "fettle cloud images logs --image desk --format json",
    },
    value: ({ items }, { project, subject }) => ({ project, imageId: subject?.id, items }),
    shows: { text: ({ items }) => buildLog(items) },
  }),
  operationCommand({
    operation: "useSandboxImage",
    name: "cloud images use",
    summary: "Boot your computer from an image; what is on it is lost",
    flags: { image },
    wipes: "This boots your computer anew, and what is on it is lost.",
    examples: { Boot: "fettle cloud images use --image desk" },
    shows: {
      text: ({ computerId, status }) =>
        text`${style.green("✓")} Your computer is ${status} ${style.dim(`(${computerId})`)}`,
    },
  }),
  operationCommand({
    operation: "resetComputer",
    name: "cloud images reset",
    summary: "Set your computer back to its image; what changed since is lost",
    wipes: "This sets your computer back to its image, and what changed since is lost.",
    examples: { "Set back": "fettle cloud images reset" },
    shows: {
      text: ({ reset }) =>
        reset
          ? text`${style.green("✓")} Your computer is as its image is`
          : text`You have no computer here yet: boot one with ${style.cyan("fettle cloud images use")}`,
    },
  }),
  operationCommand({
    operation: "promoteSandboxImage",
    name: "cloud images promote",
    summary: "Share a draft with the project, which is not taken back; needs a project admin",
    flags: { image },
    examples: { Share: "fettle cloud images promote --image desk" },
    shows: { done: "Shared" },
  }),
  operationCommand({
    operation: "deleteSandboxImage",
    name: "cloud images delete",
    summary: "Delete an image for good",
    flags: { image },
    examples: { Delete: "fettle cloud images delete --image desk" },
    shows: { done: "Deleted" },
  }),
];
