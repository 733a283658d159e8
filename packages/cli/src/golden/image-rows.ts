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
  { command: "cloud images promote", works: [image], fails: ["--image none"] },
  { command: "cloud images delete", works: [`${image} --yes`], fails: ["--image img_none --yes"] },
];
