/** @module Whether a tunnel's machine is there. */
import type { Tunnel } from "@fettle/contract/servers";
import { Chip } from "../../../ui/chip.tsx";
import { stateWords } from "../tunnel-words.ts";

export function TunnelState({ tunnel }: { tunnel: Tunnel }) {
  const { tone, word, about } = stateWords[tunnel.state];
  return (
    <span data-testid="tunnel-state" data-server={tunnel.serverId} data-state={tunnel.state}>
      <Chip tone={tone} title={about}>
        {word}
      </Chip>
    </span>
  );
}
