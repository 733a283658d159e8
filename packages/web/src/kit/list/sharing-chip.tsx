/** @module Whose something is: a draft of one person, or the project's. */
import { Chip } from "../../ui/chip.tsx";

export function SharingChip({ sharing }: { sharing: "user" | "project" }) {
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
