/** @module Whose an image is: a draft, or the project's. */
import type { SandboxImage } from "@fettle/contract";
import { Chip } from "../../../ui/chip.tsx";

export function ImageSharing({ image: { sharing } }: { image: Pick<SandboxImage, "sharing"> }) {
  if (sharing === "project") {
    return (
      <Chip tone="accent" plain>
        Shared
      </Chip>
    );
  }
  return (
    <Chip plain title="Only you see it.">
      Your draft
    </Chip>
  );
}
