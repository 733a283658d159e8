/** @module A turn in the playground: every call with what went in and out, and what the turn took. */
import { Pencil, SquareTerminal } from "lucide-react";
import { lazy, memo, type ReactNode, Suspense } from "react";
import { TurnView } from "../../../kit/chat/turn-view.tsx";
import type { ShownTurn } from "../../../kit/chat/turns.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Popover } from "../../../ui/popover.tsx";
import type { SessionAddress } from "../queries.ts";
import { turnCostText } from "../turn-cost-text.ts";
import { CallWidget } from "./call-widget.tsx";
import { ToolCallView, type ToolCallViewProps } from "./tool-call-view.tsx";

const TurnCommand = lazy(async () => ({ default: (await import("./turn-command.tsx")).TurnCommand }));

export interface PlayedTurnProps {
  turn: ShownTurn;
  /** Opens the message for editing; undefined where it cannot be. */
  onEdit?: ((turn: ShownTurn) => void) | undefined;
  onDecide?: ToolCallViewProps["onDecide"];
  /** Where it was kept; undefined while it is under way. */
  address?: SessionAddress | undefined;
  /** What is said of a turn that failed. */
  children?: ReactNode;
  /** The latest of the conversation: its widgets are looked at first. */
  isLatest?: boolean;
  /** What a widget says for the person. */
  onSay?: ((text: string) => void) | undefined;
}

export function PlayedTurn({
  turn,
  onEdit,
  onDecide,
  address,
  children,
  isLatest = false,
  onSay,
}: PlayedTurnProps) {
  const kept = address && turn.turnId ? { sessionId: address.sessionId, turnId: turn.turnId } : undefined;
  return (
    <TurnView
      turn={turn}
      call={(call) => (
        <>
          <ToolCallView call={call} kept={kept} onDecide={onDecide} />
          {address && (
            <CallWidget call={call} projectId={address.projectId} startsShown={isLatest} onSay={onSay} />
          )}
        </>
      )}
      footer={<Footer turn={turn} onEdit={onEdit} address={address} />}
    >
      {children}
    </TurnView>
  );
}

function Footer({ turn, onEdit, address }: Pick<PlayedTurnProps, "turn" | "onEdit" | "address">) {
  const { promptIndex } = turn;
  const number = promptIndex === null ? "under way" : String(promptIndex + 1);
  return (
    <footer className="flex flex-wrap items-center gap-x-3 gap-y-1 text-faint text-sm">
      <span data-testid="turn-took" className="tabular-nums">
        {turnCostText(turn)}
      </span>
      <span className="flex">
        {onEdit && (
          <IconButton label={`Edit the message of turn ${number}`} onClick={() => onEdit(turn)}>
            <Pencil aria-hidden="true" className="size-3.5" />
          </IconButton>
        )}
        {address && promptIndex !== null && (
          <Popover
            label="This turn in the terminal"
            align="start"
            className="w-96"
            trigger={
              <IconButton label={`Turn ${number} in the terminal`}>
                <SquareTerminal aria-hidden="true" className="size-3.5" />
              </IconButton>
            }
          >
            <Suspense>
              <TurnCommand address={address} turn={turn} />
            </Suspense>
          </Popover>
        )}
      </span>
    </footer>
  );
}

/** Long conversations have hundreds of them, which do not change any more: drawn once, not with every word that comes or is typed. */
export const KeptTurn = memo(function KeptTurn(
  props: Pick<PlayedTurnProps, "turn" | "address" | "onEdit" | "isLatest" | "onSay">,
) {
  const { error } = props.turn;
  return (
    <PlayedTurn {...props}>
      {error && (
        <Notice kind="bad" title="This turn failed">
          {error.message} <code>{error.code}</code>
        </Notice>
      )}
    </PlayedTurn>
  );
});
