/** @module "Same in the terminal": the command that does what the page does, with the ids filled in. */
import { SquareTerminal } from "lucide-react";
import { CopyButton } from "../ui/copy-button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Popover } from "../ui/popover.tsx";
import { fillNames, type PageDeclaration } from "./pages.ts";

export interface TerminalTwinProps {
  terminal: PageDeclaration["terminal"];
  parameters: Record<string, string>;
}

/** The page's command, or undefined when it has none. */
export function terminalCommand({ terminal, parameters }: TerminalTwinProps): string | undefined {
  return "command" in terminal ? fillNames(terminal.command, parameters) : undefined;
}

export function TerminalTwin({ terminal, parameters }: TerminalTwinProps) {
  const command = terminalCommand({ terminal, parameters });
  return (
    <Popover
      label="Same in the terminal"
      className="w-96"
      trigger={
        <IconButton label="Same in the terminal">
          <SquareTerminal aria-hidden="true" className="size-4" />
        </IconButton>
      }
    >
      <p className="mb-2 font-medium text-sm">Same in the terminal</p>
      {command ? (
        <div className="flex items-center gap-1 rounded-control border border-line bg-sunken py-1 pr-1 pl-3">
          <code className="min-w-0 flex-1 overflow-x-auto whitespace-nowrap py-0.5 text-code">{command}</code>
          <CopyButton small text={command} label="Copy command" />
        </div>
      ) : (
        <p className="text-soft text-sm">{"none" in terminal ? terminal.none : ""}</p>
      )}
    </Popover>
  );
}
