/** @module Where models can come from, and whether each can be used. */
import type { ModelProvider } from "@fettle/contract/models";
import { KeyRound, Trash2, Zap } from "lucide-react";
import { useState } from "react";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { actionsColumn, textColumn } from "../../../kit/list/columns.tsx";
import { type Column, DataTable } from "../../../kit/list/data-table.tsx";
import { RowMenu } from "../../../kit/list/row-menu.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Chip } from "../../../ui/chip.tsx";
import { Time } from "../../../ui/time.tsx";
import { toast } from "../../../ui/toast.tsx";
import { sourceWords } from "../words.ts";

export interface ProviderTableProps {
  organizationId: string;
  providers: readonly ModelProvider[];
  /** Why this person may change nothing; undefined when they may. */
  blocked: string | undefined;
  onChange: (provider: ModelProvider) => void;
  onTry: (provider: ModelProvider) => void;
}

export function ProviderTable({ organizationId, providers, blocked, onChange, onTry }: ProviderTableProps) {
  const [removing, setRemoving] = useState<ModelProvider | null>(null);
  const remove = useChange("removeModelProvider", () => {
    toast(`${removing?.name} is removed`);
    setRemoving(null);
  });
  return (
    <>
      <DataTable
        caption="Providers of models"
        columns={columnsOf(blocked, { onChange, onTry, onRemove: setRemoving })}
        items={providers}
        keyOf={({ provider }) => provider}
        noun={["provider", "providers"]}
      />
      {removing && (
        <ConfirmDialog
          title={`Remove ${removing.name}?`}
          confirm="Remove"
          action={remove}
          onClose={() => setRemoving(null)}
          onConfirm={() => remove.run({ organizationId, provider: removing.provider })}
        >
          <p>
            The organization's key, address and models of {removing.name} are deleted. Runs under way lose
            them at once; what was set up for the whole service, if anything, is used instead.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

interface Handlers {
  onChange: (provider: ModelProvider) => void;
  onTry: (provider: ModelProvider) => void;
  onRemove: (provider: ModelProvider) => void;
}

function columnsOf(blocked: string | undefined, handlers: Handlers): Column<ModelProvider>[] {
  return [
    {
      id: "name",
      header: "Provider",
      cell: ({ name, provider }) => (
        <span className="grid">
          <span className="font-medium">{name}</span>
          <code className="text-faint text-xs">{prefixOf(provider)}</code>
        </span>
      ),
    },
    { id: "state", header: "State", cell: (provider) => <Standing provider={provider} /> },
    textColumn("Set up by", ({ source }) => sourceWords(source), { wideOnly: true }),
    textColumn(
      "Key",
      ({ key }) =>
        key && (
          <span className="grid">
            <code>…{key.lastFour.replace(/^…/, "")}</code>
            <span className="text-faint text-xs">
              <Time at={key.setAt} />
              {key.setBy && ` by ${key.setBy.name}`}
            </span>
          </span>
        ),
      { wideOnly: true },
    ),
    actionsColumn((provider) => (
      <RowMenu focus name={provider.name} actions={actionsOf(provider, blocked, handlers)} />
    )),
  ];
}

function actionsOf(provider: ModelProvider, blocked: string | undefined, handlers: Handlers) {
  const isOwn = provider.source === "organization" || provider.key !== null || provider.models.length > 0;
  return [
    {
      label: isOwn ? "Change" : "Use an own key",
      icon: KeyRound,
      blocked,
      onSelect: () => handlers.onChange(provider),
    },
    {
      label: "Try it",
      icon: Zap,
      blocked,
      onSelect: () => handlers.onTry(provider),
    },
    ...(isOwn
      ? [
          {
            label: "Remove",
            icon: Trash2,
            danger: true,
            blocked,
            onSelect: () => handlers.onRemove(provider),
          },
        ]
      : []),
  ];
}

function Standing({ provider }: { provider: ModelProvider }) {
  if (provider.available) return <Chip tone="good">Ready</Chip>;
  return (
    <span className="grid justify-items-start gap-0.5">
      <Chip tone="warn">Cannot be used</Chip>
      <span className="text-faint text-xs">Because {provider.unavailableReason}.</span>
    </span>
  );
}

/** How the names of its models begin. */
function prefixOf(provider: string): string {
  return provider.startsWith("custom:") ? `${provider}:…` : `${provider}/…`;
}
