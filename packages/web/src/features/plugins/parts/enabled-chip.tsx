/** @module Whether a plugin can be pinned and run. */
import type { Plugin } from "@fettle/contract/environments";
import { Chip } from "../../../ui/chip.tsx";

export function EnabledChip({ plugin: { enabled } }: { plugin: Plugin }) {
  return (
    <span data-testid="plugin-state" data-enabled={enabled}>
      <Chip tone={enabled ? "good" : "neutral"}>{enabled ? "Enabled" : "Disabled"}</Chip>
    </span>
  );
}
