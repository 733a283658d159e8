/** @module A command is shown exactly as it would run, and runs only once the person has agreed to it. */
import { readAnswer } from "@fettle/contract/client";
import type { ProjectServer } from "@fettle/contract/servers";
import type { ReactNode } from "react";
import { localHeaders } from "../api/local.ts";
import { FailureView } from "../kit/failure-view.tsx";
import { JsonDiffView } from "../kit/json-diff/json-diff-view.tsx";
import { useAction } from "../kit/use-action.ts";
import { useLoad } from "../kit/use-load.ts";
import { Button } from "../ui/button.tsx";
import { Panel } from "../ui/panel.tsx";

interface CommandLine {
  command: string;
  args: string[];
  envNames: string[];
}

interface ServerCommand extends CommandLine {
  approved: boolean;
  /** What was approved last. */
  before: CommandLine | null;
}

/** Shows what is inside once the server's command may be started. */
export function Approval({ server, children }: { server: ProjectServer; children: ReactNode }) {
  const { data, failure, again } = useLoad((signal) => readCommand(server.id, signal));
  const approve = useAction(() => approveCommand(server.id), again);
  if (failure) return <FailureView failure={failure} what="the command" onRetry={again} />;
  if (!data) return null;
  const { approved, before, ...now } = data;
  if (approved) return children;
  return (
    <div className="max-w-3xl px-4 py-6 sm:px-6">
      <Panel
        title={before ? "Start the changed command?" : "Start this command?"}
        about={
          before
            ? "It is another one than you approved, and was not started."
            : "It runs on this machine with your rights. It is asked once, and again when the command changes."
        }
        footer={
          <Button look="primary" busy={approve.busy} onClick={() => approve.run()}>
            Approve and start
          </Button>
        }
      >
        {before && (
          <div className="pb-4">
            <JsonDiffView
              label="What changed in the command"
              before={{ ...before }}
              after={{ ...now }}
              beforeName="Approved"
              afterName="Now"
            />
          </div>
        )}
        {/* One word a line, because a space inside a word and one between two look the same. */}
        <ol aria-label="The command, word by word" className="grid gap-1 font-mono text-code">
          {[now.command, ...now.args].map((word, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a word may stand twice, and none moves.
            <li key={index} className="wrap-anywhere rounded-control bg-sunken px-2 py-1">
              {word}
            </li>
          ))}
        </ol>
        {now.envNames.length > 0 && (
          <p className="pt-3 text-soft text-sm">
            With the variables <span className="font-mono text-code">{now.envNames.join(", ")}</span>.
          </p>
        )}
        {approve.failure && <FailureView failure={approve.failure} what="the approval" />}
      </Panel>
    </div>
  );
}

async function readCommand(serverId: string, signal: AbortSignal): Promise<ServerCommand> {
  const response = await fetch(`/api/mcp/servers/${serverId}/command`, { headers: localHeaders(), signal });
  return (await readAnswer(response)) as ServerCommand;
}

async function approveCommand(serverId: string): Promise<unknown> {
  const response = await fetch("/api/mcp/approve", {
    method: "POST",
    headers: localHeaders(),
    body: JSON.stringify({ serverId }),
  });
  return readAnswer(response);
}
