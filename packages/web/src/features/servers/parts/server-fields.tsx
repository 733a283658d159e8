/** @module The fields of a server, for adding and for changing one. Secrets are write-only. */

import { requestLimits, textLimits } from "@fettle/contract/core";
import type { ProjectServer } from "@fettle/contract/servers";
import { Plus, X } from "lucide-react";
import { isLocal } from "../../../lib/local.ts";
import { Button } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Field } from "../../../ui/field.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Input } from "../../../ui/input.tsx";
import type { HeaderDraft, ServerDraft } from "../server-draft.ts";
import { type FieldsPart, OAuthFields } from "./oauth-fields.tsx";

export interface ServerFieldsProps {
  draft: ServerDraft;
  /** The saved one, when it is being changed. */
  server?: ProjectServer;
  onChange: (draft: ServerDraft) => void;
  /** For a new one: whether what was entered is no address, and is dealt with elsewhere. */
  takeOver?: (text: string) => boolean;
}

export function ServerFields({ draft, server, onChange, takeOver = () => false }: ServerFieldsProps) {
  const set = (change: Partial<ServerDraft>) => onChange({ ...draft, ...change });
  const isCommand = server?.transportType === "stdio";
  return (
    <>
      {isCommand ? (
        <p className="text-soft">
          A command. It, its arguments and its variables are sealed
          {isLocal ? (
            ": to change them, add it anew."
          ) : (
            <>
              ; enter them anew with{" "}
              <code className="text-code">fettle cloud projects servers update --body</code>.
            </>
          )}
        </p>
      ) : (
        <AddressField draft={draft} server={server} set={set} takeOver={takeOver} />
      )}
      <Field
        label="Name"
        name="name"
        hint={server ? undefined : "Empty: as the server calls itself, when it can be reached."}
      >
        {(control) => (
          <Input
            {...control}
            required={server !== undefined}
            maxLength={textLimits.nameLength}
            autoComplete="off"
            placeholder="Shop"
            value={draft.name}
            onChange={(event) => set({ name: event.target.value })}
          />
        )}
      </Field>
      {!isCommand && <HeaderFields draft={draft} server={server} set={set} />}
      <TimeField draft={draft} server={server} set={set} />
      {!isCommand && (
        <Checkbox
          label="Signs in with OAuth"
          hint="Tokens are stored per server and never sent to another."
          checked={draft.useOAuth}
          onChange={(event) => set({ useOAuth: event.target.checked })}
        />
      )}
      {draft.useOAuth && <OAuthFields draft={draft} server={server} set={set} />}
    </>
  );
}

function AddressField({
  draft,
  server,
  set,
  takeOver,
}: FieldsPart & { takeOver: (text: string) => boolean }) {
  return (
    <Field
      label="Address"
      name="url"
      hint={
        server?.url?.includes("=***")
          ? "Values shown as *** stay as they are saved, unless all of them are entered anew."
          : "Where the server speaks MCP, usually ending in /mcp."
      }
    >
      {(control) => (
        <Input
          {...control}
          type="url"
          required
          maxLength={textLimits.addressLength}
          autoComplete="off"
          spellCheck={false}
          placeholder="https://shop.example.com/mcp"
          value={draft.url}
          // Before the line breaks of a pasted file are lost in one line.
          onPaste={(event) => takeOver(event.clipboardData.getData("text")) && event.preventDefault()}
          onChange={({ target }) => takeOver(target.value) || set({ url: target.value })}
        />
      )}
    </Field>
  );
}

function TimeField({ draft, server, set }: FieldsPart) {
  return (
    <Field
      label="Time limit in seconds"
      name="timeout"
      optional
      hint={server ? "Leave it empty to keep what is saved." : "How long one request may take."}
    >
      {(control) => (
        <Input
          {...control}
          type="number"
          min={1}
          max={requestLimits.ms.max / 1000}
          step="any"
          value={draft.timeoutSeconds}
          className="max-w-32"
          onChange={(event) => set({ timeoutSeconds: event.target.value })}
        />
      )}
    </Field>
  );
}

function HeaderFields({ draft, server, set }: FieldsPart) {
  const saved = server?.headerNames ?? [];
  const setHeader = (at: number, change: Partial<HeaderDraft>) =>
    set({
      headers: draft.headers.map((header, place) => (place === at ? { ...header, ...change } : header)),
    });
  const addRow = () => set({ replaceHeaders: true, headers: [...draft.headers, { name: "", value: "" }] });
  return (
    <fieldset className="stack gap-2">
      <legend className="mb-1.5 font-medium text-sm">
        Headers <span className="ml-1 font-normal text-faint">optional, encrypted, never shown again</span>
      </legend>
      {saved.length > 0 && (
        <p className="text-sm text-soft">
          Saved: <span className="font-mono text-code">{saved.join(", ")}</span>.{" "}
          {draft.replaceHeaders ? (
            <>
              They will be replaced by the ones below.{" "}
              <Button look="quiet" onClick={() => set({ replaceHeaders: false, headers: [] })}>
                Keep them
              </Button>
            </>
          ) : (
            <Button look="quiet" onClick={() => set({ replaceHeaders: true, headers: [] })}>
              Remove them
            </Button>
          )}
        </p>
      )}
      {draft.headers.map((header, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place.
        <div key={at} className="flex items-center gap-2">
          <Input
            aria-label={`Name of header ${at + 1}`}
            placeholder="Authorization"
            autoComplete="off"
            spellCheck={false}
            value={header.name}
            className="max-w-48 font-mono"
            onChange={(event) => setHeader(at, { name: event.target.value })}
          />
          <Input
            type="password"
            aria-label={`Value of header ${at + 1}`}
            placeholder="Bearer …"
            autoComplete="off"
            value={header.value}
            onChange={(event) => setHeader(at, { value: event.target.value })}
          />
          <IconButton
            label={`Remove header ${at + 1}`}
            onClick={() => set({ headers: draft.headers.toSpliced(at, 1) })}
          >
            <X aria-hidden="true" className="size-4" />
          </IconButton>
        </div>
      ))}
      <div>
        <Button icon={<Plus aria-hidden="true" className="size-3.5" />} onClick={addRow}>
          {saved.length > 0 && !draft.replaceHeaders ? "Replace headers" : "Add header"}
        </Button>
      </div>
    </fieldset>
  );
}
