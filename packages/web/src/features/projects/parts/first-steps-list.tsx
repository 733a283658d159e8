/** @module The checklist of a young project; it goes away when all is done, or when it is dismissed. */
import { ArrowRight, Check, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { cx } from "../../../lib/cx.ts";
import { readStored, writeStored } from "../../../lib/storage.ts";
import { PageLink } from "../../../pages/page-link.tsx";
import { buttonClass } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { type FirstStep, type FirstStepId, type FirstStepsFacts, firstSteps } from "../first-steps.ts";

export interface FirstStepsListProps {
  projectId: string;
  organizationId: string;
  facts: FirstStepsFacts;
}

export function FirstStepsList({ projectId, organizationId, facts }: FirstStepsListProps) {
  const [dismissed, setDismissed] = useState(() => readStored(`first-steps:${projectId}`) === "dismissed");
  const steps = firstSteps(facts);
  const done = steps.filter((step) => step.done).length;
  if (dismissed || done === steps.length) return null;
  const dismiss = () => {
    writeStored(`first-steps:${projectId}`, "dismissed");
    setDismissed(true);
  };
  const arrow = <ArrowRight aria-hidden="true" className="size-3.5" />;
  const ways: Record<FirstStepId, ReactNode> = {
    "command-line": (
      <span className="flex items-center gap-1">
        <code className="rounded-control bg-sunken px-2 py-1 text-code text-soft">fettle cloud login</code>
        <CopyButton small text="fettle cloud login" label="Copy command" />
      </span>
    ),
    key: (
      <PageLink page="account-keys" params={{}} act className={buttonClass()}>
        Create key {arrow}
      </PageLink>
    ),
    invite: (
      <PageLink page="organization-members" params={{ org: organizationId }} act className={buttonClass()}>
        Invite {arrow}
      </PageLink>
    ),
  };
  return (
    <Panel
      title="First steps"
      about={`${done} of ${steps.length} done`}
      aside={
        <IconButton label="Dismiss first steps" onClick={dismiss} className="-mt-1 -mr-2">
          <X aria-hidden="true" className="size-4" />
        </IconButton>
      }
    >
      <ol className="-my-3 divide-y divide-line">
        {steps.map((step) => (
          <StepRow key={step.id} step={step} way={ways[step.id]} />
        ))}
      </ol>
    </Panel>
  );
}

function StepRow({ step, way }: { step: FirstStep; way: ReactNode }) {
  return (
    <li className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <span
        className={cx(
          "inline-flex size-5 shrink-0 items-center justify-center rounded-full border",
          step.done ? "border-good-mark bg-good-soft text-good" : "border-edge",
        )}
      >
        {step.done && <Check aria-hidden="true" className="size-3" strokeWidth={3} />}
      </span>
      <span className="min-w-48 flex-1">
        <span className={cx("block font-medium", step.done && "text-soft")}>
          {step.title}
          {step.done && <span className="sr-only"> (done)</span>}
        </span>
        <span className="block text-faint text-sm">{step.text}</span>
      </span>
      {!step.done && way}
    </li>
  );
}
