/** @module The buttons beside one of several things in an order: earlier, later, and what else can be done with it. */
import { ArrowDown, ArrowUp, X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "../../ui/icon-button.tsx";

export interface ListButtonsProps {
  /** As in "step 2". */
  what: string;
  at: number;
  count: number;
  onMove: (to: number) => void;
  onRemove?: () => void;
  children?: ReactNode;
}

const icon = "size-3.5";

export function ListButtons({ what, at, count, onMove, onRemove, children }: ListButtonsProps) {
  return (
    <span className="flex shrink-0">
      <IconButton label={`Move ${what} up`} disabled={at === 0} onClick={() => onMove(at - 1)}>
        <ArrowUp aria-hidden="true" className={icon} />
      </IconButton>
      <IconButton label={`Move ${what} down`} disabled={at === count - 1} onClick={() => onMove(at + 1)}>
        <ArrowDown aria-hidden="true" className={icon} />
      </IconButton>
      {children}
      {onRemove && (
        <IconButton label={`Remove ${what}`} onClick={onRemove}>
          <X aria-hidden="true" className={icon} />
        </IconButton>
      )}
    </span>
  );
}
