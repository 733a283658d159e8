/** @module The rows of sandbox images. */
import type { Row } from "./rows.ts";

const image = "--image desk-$N";

export const imageRows: readonly Row[] = [
  {
    command: "cloud images validate",
    works: ["--file image.yaml"],
    fails: ["--file page.html", "--file none.yaml"],
  },
  {
    command: "cloud images create",
    works: ["--name desk-$N --file image.yaml"],
    fails: ["--name odd --file page.html"],
  },
  { command: "cloud images list", works: [""] },
  { command: "cloud images get", works: [image], fails: ["--image dsk-$N"] },
  { command: "cloud images edit", works: [`${image} --file image.yaml`], fails: [image] },
  // The deployment of these tests has no container engine.
  { command: "cloud images build", works: [], fails: [image, "--image none"] },
  { command: "cloud images logs", works: [image], fails: ["--image none"] },
  { command: "cloud images use", works: [], fails: [`${image} --yes`, "--image none"] },
  { command: "cloud images reset", works: [], fails: ["--yes"] },
  { command: "cloud images promote", works: [image], fails: ["--image none"] },
  { command: "cloud images delete", works: [`${image} --yes`], fails: ["--image img_none --yes"] },
];
