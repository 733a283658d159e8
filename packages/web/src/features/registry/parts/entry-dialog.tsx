/** @module One entry of a directory: what it says, and installing it. Everything in it was written by a stranger. */
import type { DirectoryServer } from "@fettle/contract/servers";
import type { ReactNode } from "react";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { webUrl } from "../../../lib/urls.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Dialog, DialogActions } from "../../../ui/dialog.tsx";
import { Fact, FactList } from "../../../ui/fact-list.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { reasonWords, tierWords, titleOf, tunnelCommand } from "../registry-words.ts";
import { InstallForm } from "./install-form.tsx";

export interface EntryDialogProps {
  projectId: string;
  entry: DirectoryServer;
  onClose: () => void;
  onInstalled: (serverId: string) => void;
}

export function EntryDialog({ projectId, entry, onClose, onInstalled }: EntryDialogProps) {
  const reason = entry.unavailableReason && reasonWords[entry.unavailableReason];
  return (
    <Dialog
      wide
      open
      onClose={onClose}
      title={titleOf(entry)}
      description={<VisibleText text={entry.description} />}
    >
      <div className="stack gap-4">
        <EntryFacts entry={entry} />
        {entry.status === "deprecated" && <Notice kind="warn">Its makers advise against using it.</Notice>}
        {reason && (
          <Notice kind="info" title={reason.word}>
            {reason.about}
          </Notice>
        )}
        {(reason || !entry.remotes.length) && <Packages entry={entry} />}
        {reason ? (
          <DialogActions>
            <Button onClick={onClose}>Close</Button>
          </DialogActions>
        ) : (
          <InstallForm projectId={projectId} entry={entry} onClose={onClose} onInstalled={onInstalled} />
        )}
      </div>
    </Dialog>
  );
}

function EntryFacts({ entry }: { entry: DirectoryServer }) {
  const tier = tierWords[entry.verifiedTier];
  const rows: [string, ReactNode][] = [
    ["Name", <code key="name">{entry.serverName}</code>],
    ["Directory", entry.source],
    ["Version", entry.version && <VisibleText text={entry.version} />],
    ["Known of it", tier?.about ?? "Nothing proves who wrote this entry."],
    ["Website", entry.websiteUrl && <Outside url={entry.websiteUrl} />],
    ["Source code", entry.repositoryUrl && <Outside url={entry.repositoryUrl} />],
  ];
  return (
    <FactList>
      {rows.map(
        ([name, value]) =>
          value && (
            <Fact key={name} name={name}>
              {value}
            </Fact>
          ),
      )}
    </FactList>
  );
}

/** A link only where the browser may be sent; else its text. */
function Outside({ url }: { url: string }) {
  if (!webUrl(url)) return <VisibleText text={url} />;
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer noopener"
      className="break-all underline underline-offset-2"
    >
      {url}
    </a>
  );
}

function Packages({ entry }: { entry: DirectoryServer }) {
  const commands = entry.packages.flatMap((each) => tunnelCommand(entry.serverName, each) ?? []);
  if (commands.length === 0) return null;
  return (
    <div className="stack gap-2">
      <p className="text-soft text-sm">
        Run this on your machine. It downloads and runs code that the entry names: read it first.
      </p>
      {commands.map((command) => (
        <div
          key={command}
          className="flex items-center gap-1 rounded-control border border-line bg-sunken py-1 pr-1 pl-3"
        >
          <code className="min-w-0 flex-1 break-words text-code">{command}</code>
          <CopyButton small label="Copy command" text={command} />
        </div>
      ))}
    </div>
  );
}
