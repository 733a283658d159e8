/** @module Installs an entry: which address, what is sent with it, what the project calls it. Nothing is connected to. */
import { textLimits } from "@fettle/contract/core";
import type { DirectoryInput, DirectoryServer } from "@fettle/contract/servers";
import { useState } from "react";
import { DialogForm } from "../../../kit/form-dialog.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Select } from "../../../ui/select.tsx";
import { filledAddress, titleOf } from "../registry-words.ts";

export interface InstallFormProps {
  projectId: string;
  entry: DirectoryServer;
  onClose: () => void;
  onInstalled: (serverId: string) => void;
}

export function InstallForm({ projectId, entry, onClose, onInstalled }: InstallFormProps) {
  const install = useChange("installRegistryDirectoryServer", ({ serverId }) => onInstalled(serverId));
  const hint = entry.remoteUrlHint;
  const remote = entry.remotes.find(({ url }) => url === hint) ?? entry.remotes[0];
  const variables = hint === undefined ? [] : variablesOf(hint, remote?.variables ?? []);
  const [values, setValues] = useState<ReadonlyMap<string, string>>(
    () => new Map(variables.map((each) => [each.name, each.default ?? ""])),
  );
  const { remoteUrlOptions: addresses } = entry;
  const [option, setOption] = useState(addresses?.[0] ?? "");
  const address = hint === undefined ? option || entry.remoteUrl : filledAddress(hint, values);
  const headers = remote?.headers ?? [];
  return (
    <DialogForm
      label={`Install ${titleOf(entry)}`}
      submit="Install"
      action={install}
      onClose={onClose}
      onSubmit={(form) => {
        const name = String(form.get("name")).trim();
        const sent = headers.flatMap((each) => {
          const value = String(form.get(`header ${each.name}`) ?? "");
          return value === "" ? [] : [[each.name, value] as const];
        });
        install.run({
          projectId,
          body: {
            catalogServerId: entry.id,
            expectedContentHash: entry.latestContentHash,
            ...(entry.endpointKind !== "fixed" && address && { endpointUrl: address }),
            ...(name && { name }),
            ...(sent.length > 0 && { headers: Object.fromEntries(sent) }),
          },
        });
      }}
    >
      {addresses && (
        <Field label="Address" name="endpointUrl">
          {(control) => (
            <Select
              {...control}
              options={addresses.map((url) => ({ value: url, label: url }))}
              value={option}
              onChange={(event) => setOption(event.target.value)}
            />
          )}
        </Field>
      )}
      {variables.map((variable) => (
        <ValueField
          key={variable.name}
          input={variable}
          name={`variable ${variable.name}`}
          value={values.get(variable.name) ?? ""}
          onChange={(value) => setValues((before) => new Map(before).set(variable.name, value))}
        />
      ))}
      {headers.map((header) => (
        <ValueField key={header.name} input={header} name={`header ${header.name}`} />
      ))}
      {!entry.remoteUrlOptions && (
        <p className="break-all text-sm">
          <span className="text-faint">Address: </span>
          <code data-testid="install-address">{address}</code>
        </p>
      )}
      <Field label="Name" name="name" optional hint="What the project calls it.">
        {(control) => (
          <Input
            {...control}
            maxLength={textLimits.nameLength}
            autoComplete="off"
            placeholder={entry.serverName}
          />
        )}
      </Field>
      <p className="text-soft text-sm">
        Installing saves the server in this project. Nothing is connected to until somebody asks.
      </p>
    </DialogForm>
  );
}

/** Those in the address, described or not. */
function variablesOf(hint: string, described: readonly DirectoryInput[]): DirectoryInput[] {
  const names = [...new Set([...hint.matchAll(/\{([\w.-]{1,64})\}/g)].map(([, name = ""]) => name))];
  return names.map(
    (name) => described.find((each) => each.name === name) ?? { name, isRequired: true, isSecret: false },
  );
}

interface ValueFieldProps {
  input: DirectoryInput;
  name: string;
  value?: string;
  onChange?: (value: string) => void;
}

function ValueField({ input, name, value, onChange }: ValueFieldProps) {
  const isNeeded = input.isRequired || onChange !== undefined;
  const told = onChange && {
    value,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  return (
    <Field label={input.name} name={name} optional={!isNeeded} hint={input.description}>
      {(control) =>
        input.choices ? (
          <Select
            {...control}
            {...told}
            options={["", ...input.choices].map((choice) => ({ value: choice, label: choice || "Choose" }))}
          />
        ) : (
          <Input
            {...control}
            {...told}
            {...(!told && input.default !== undefined && { defaultValue: input.default })}
            type={input.isSecret ? "password" : "text"}
            required={isNeeded}
            autoComplete="off"
            spellCheck={false}
          />
        )
      }
    </Field>
  );
}
