/** @module "Same in the terminal": the command that does what the page does, with the ids filled in. */
import { SquareTerminal } from "lucide-react";
import { lazy, Suspense, useSyncExternalStore } from "react";
import { commandFacts } from "../kit/command-facts.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { Popover } from "../ui/popover.tsx";
import type { PageDeclaration } from "./page.ts";

export interface TerminalTwinProps {
  page: PageDeclaration;
  parameters: Record<string, string>;
}

export function TerminalTwin({ page, parameters }: TerminalTwinProps) {
  const { terminal } = page;
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
      {terminal && "none" in terminal ? (
        <p className="text-soft text-sm">{terminal.none}</p>
      ) : (
        <Suspense>
          <Command page={page} parameters={parameters} />
        </Suspense>
      )}
    </Popover>
  );
}

/** The names of commands are fetched by whoever looks: most visits never do. */
const Command = lazy(async () => {
  const { commandLine, curlLine } = await import("./command-line.ts");
  return {
    default: ({ page, parameters }: TerminalTwinProps) => {
      const facts = useSyncExternalStore(commandFacts.subscribe, commandFacts.get);
      const known = { ...facts, ...parameters };
      const curl = curlLine(page, known, location.origin);
      return (
        <div className="stack gap-3">
          <Line text={commandLine(page, known) ?? ""} label="Copy command" />
          {curl && (
            <div>
              <p className="mb-1 text-soft text-sm">Through the API</p>
              <Line text={curl} label="Copy curl" />
            </div>
          )}
        </div>
      );
    },
  };
});

function Line({ text, label }: { text: string; label: string }) {
  return (
    <div className="flex items-center gap-1 rounded-control border border-line bg-sunken py-1 pr-1 pl-3">
      <code className="min-w-0 flex-1 overflow-x-auto whitespace-nowrap py-0.5 text-code">{text}</code>
      <CopyButton small text={text} label={label} />
    </div>
  );
}
