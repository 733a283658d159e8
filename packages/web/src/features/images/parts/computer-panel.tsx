/** @module One's own computer in the project: how it is, what it is made of, and a way back to that. */
import type { OwnComputer, SandboxImage } from "@fettle/contract/sandboxes";
import { useState } from "react";
import { Blocked } from "../../../kit/blocked.tsx";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { Loaded } from "../../../kit/loaded.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { useWriteBlock } from "../../../kit/use-link-state.ts";
import { PageLink } from "../../../pages/page-link.tsx";
import { Button } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Fact, Facts } from "../../../ui/fact.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import { toast } from "../../../ui/toast.tsx";
import { type Computer, computerWords } from "../build-words.ts";
import { useOwnComputer } from "../queries.ts";
import { MissingEngine } from "./missing-engine.tsx";

export interface ComputerPanelProps {
  projectId: string;
  images: readonly SandboxImage[] | undefined;
}

export function ComputerPanel({ projectId, images }: ComputerPanelProps) {
  const query = useOwnComputer(projectId);
  const [resetting, setResetting] = useState(false);
  const offline = useWriteBlock();
  const computer = query.data?.computer;
  const image = images?.find(({ id }) => id === computer?.imageId);
  return (
    <Panel
      title="Your computer"
      about="A container of your own in this project, which nobody else sees."
      aside={
        computer && (
          <Blocked reason={query.data?.missingEngine?.message ?? offline}>
            <Button onClick={() => setResetting(true)}>Reset</Button>
          </Blocked>
        )
      }
    >
      <Loaded query={query} what="your computer">
        {(own) => (
          <div className="stack gap-4">
            <MissingEngine missing={own.missingEngine} />
            <State own={own} image={image} />
          </div>
        )}
      </Loaded>
      {resetting && computer && (
        <ResetDialog projectId={projectId} image={image} onClose={() => setResetting(false)} />
      )}
    </Panel>
  );
}

function State({ own: { computer }, image }: { own: OwnComputer; image: SandboxImage | undefined }) {
  if (!computer) {
    return <p className="text-soft">You have none yet. Build an image, then use it: that boots one.</p>;
  }
  const { word, tone, about } = computerWords[computer.status];
  return (
    <>
      {computer.status === "failed" && (
        <Notice kind="bad" title="It failed">
          {computer.error ?? "Nothing is known of why."} Reset it to go on.
        </Notice>
      )}
      <Facts>
        <Fact name="Status">
          <span data-testid="computer" data-status={computer.status}>
            <Chip tone={tone} title={about}>
              {word}
            </Chip>
          </span>
          <span className="mt-1 block text-faint text-sm">{about}</span>
        </Fact>
        <Fact name="Image">
          <MadeOf computer={computer} image={image} />
        </Fact>
        <Fact name="Last used">
          <Time at={computer.lastUsedAt} />
        </Fact>
        <Fact name="Yours since">
          <Time at={computer.createdAt} />
        </Fact>
      </Facts>
    </>
  );
}

function MadeOf({ computer, image }: { computer: Computer; image: SandboxImage | undefined }) {
  if (image) {
    return (
      <PageLink page="image" params={{ pid: image.projectId, iid: image.id }} className="text-link underline">
        {image.name}
      </PageLink>
    );
  }
  const [base] = computer.base.split("@");
  return <>{computer.imageId === null ? `${base}, its image is gone` : base}</>;
}

interface ResetDialogProps {
  projectId: string;
  image: SandboxImage | undefined;
  onClose: () => void;
}

function ResetDialog({ projectId, image, onClose }: ResetDialogProps) {
  const reset = useChange("resetComputer", () => {
    toast("Your computer is reset");
    onClose();
  });
  return (
    <ConfirmDialog
      title="Reset your computer?"
      typed={
        image ? { label: "Name of its image", text: image.name } : { label: "What to do", text: "reset" }
      }
      confirm="Reset computer"
      action={reset}
      onClose={onClose}
      onConfirm={() => reset.run({ projectId })}
    >
      <p>
        Its files, what was installed on it and what runs on it are gone for good. It is booted anew from{" "}
        {image ? image.name : "its base"}.
      </p>
    </ConfirmDialog>
  );
}
