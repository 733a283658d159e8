/** @module A turn in the terminal, to be copied. Fetched by whoever looks. */
import { useQuery } from "@tanstack/react-query";
import type { ShownTurn } from "../../../kit/chat/turns.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { type SessionAddress, sessionQuery } from "../queries.ts";
import { sendCommand } from "../send-command.ts";

export function TurnCommand({ address, turn }: { address: SessionAddress; turn: ShownTurn }) {
  const session = useQuery(sessionQuery(address)).data;
  const command = session ? sendCommand(session, turn) : "";
  return (
    <div className="stack gap-2">
      <p className="font-medium text-sm">This turn in the terminal</p>
      <div className="flex items-center gap-1 rounded-control border border-line bg-sunken py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 overflow-x-auto whitespace-nowrap py-0.5 text-code">{command}</code>
        <CopyButton small text={command} label="Copy command" />
      </div>
      <p className="text-faint text-sm">
        {turn.promptIndex === 0
          ? "It begins another conversation like this one."
          : "It says the same at the end of this conversation."}{" "}
        Nobody is asked before a call there.
      </p>
    </div>
  );
}
