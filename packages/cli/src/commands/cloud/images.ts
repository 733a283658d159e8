/** @module `cloud images`: what a computer is started from, written down as a blueprint. */
import { exitCodes } from "@fettle/contract";
import { operationCommand } from "../../cloud/operation-command.ts";
import { lines, style, text } from "../../output/text.ts";
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
