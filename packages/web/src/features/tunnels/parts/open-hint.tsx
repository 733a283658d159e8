/** @module The command that opens a tunnel, to be run on the machine where the server is. */
import { Fragment } from "react";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { openCommand } from "../tunnel-words.ts";

export function OpenHint({ name, transport }: { name: string; transport?: "http" | "stdio" }) {
  const command = openCommand(name, transport);
  return (
    <div className="flex items-center gap-1 rounded-control border border-line bg-sunken py-1 pr-1 pl-3">
      <code className="min-w-0 flex-1 break-words text-left text-code">
        {/* A line breaks between words: a flag's own hyphens are no place to. */}
        {command.split(" ").map((word, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the words never change places.
          <Fragment key={at}>
            {at > 0 && " "}
            <span className="inline-block max-w-full break-words">{word}</span>
          </Fragment>
        ))}
      </code>
      <CopyButton small label="Copy command" text={command} />
    </div>
  );
}
