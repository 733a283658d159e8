/** @module The place a widget is shown in, chosen in a panel; what was chosen stands beside its button, so that the widget stays in sight. */
import { keysOf } from "@fettle/contract/core";
import { SlidersHorizontal } from "lucide-react";
import { useSyncExternalStore } from "react";
import { useOperation } from "../../api/operation.ts";
import { Button } from "../../ui/button.tsx";
import { Choice } from "../../ui/choice.tsx";
import { Field } from "../../ui/field.tsx";
import { Popover } from "../../ui/popover.tsx";
import { Select } from "../../ui/select.tsx";
import { approvalOf, approvalsByServer, setApproval } from "./approvals.ts";
import { chooseEmulation } from "./chosen-emulation.ts";
import { asTheBrowser, deviceOf, devices, type Emulation, locales, themes } from "./emulation.ts";
import { type Approval, approvals } from "./gate.ts";

export interface WidgetControlsProps {
  emulation: Emulation;
  /** The host whose rules hold; another shows the widget anew. */
  hostId: string;
  onHost: (hostId: string) => void;
  /** Whose widgets' calls are let through, asked about or refused. */
  serverId: string;
}

const themeLabels = { app: "As the app", light: "Light", dark: "Dark" };
const approvalLabels = {
  reads: "Ask, unless the tool says it only reads",
  ask: "Ask each time",
  allow: "Let them through",
  deny: "Refuse them",
};
const deviceNames = keysOf(devices);

export function WidgetControls({ emulation, serverId, ...host }: WidgetControlsProps) {
  /** What differs from the browser's own is in sight also while the panel is not. */
  const chosen = [
    ...(emulation.theme === "app" ? [] : [themeLabels[emulation.theme]]),
    ...(emulation.device === asTheBrowser.device ? [] : [deviceOf(emulation.device).label]),
    emulation.locale,
    emulation.timeZone,
  ].filter((word) => word !== "");
  const approval = useSyncExternalStore(approvalsByServer.subscribe, () => approvalOf(serverId));
  return (
    <>
      <Popover
        label="Theme, device, host, calls, language and time zone"
        trigger={<Button icon={<SlidersHorizontal aria-hidden="true" className="size-4" />}>Shown as</Button>}
      >
        <div className="stack gap-4 p-1">
          <Choice
            label="Theme"
            as="segments"
            options={themes.map((value) => ({ value, label: themeLabels[value] }))}
            value={emulation.theme}
            onChange={(theme) => chooseEmulation({ theme })}
          />
          <Choice
            label="Device"
            as="segments"
            options={deviceNames.map((value) => ({ value, label: deviceOf(value).label }))}
            value={emulation.device}
            onChange={(device) => chooseEmulation({ device })}
          />
          <HostSelect {...host} />
          <Field label="Calls of tools" hint="Of this server's widgets, in this tab.">
            {(control) => (
              <Select
                {...control}
                options={approvals.map((value) => ({ value, label: approvalLabels[value] }))}
                value={approval}
                onChange={(event) => setApproval(serverId, event.target.value as Approval)}
              />
            )}
          </Field>
          <Field label="Language" hint="Told to the widget; the browser's own stays.">
            {(control) => (
              <Select
                {...control}
                options={[
                  { value: "", label: `As the browser (${navigator.language})` },
                  ...withChosen(locales, emulation.locale).map(plain),
                ]}
                value={emulation.locale}
                onChange={(event) => chooseEmulation({ locale: event.target.value })}
              />
            )}
          </Field>
          <Field label="Time zone">
            {(control) => (
              <Select
                {...control}
                options={[
                  { value: "", label: "As the browser" },
                  ...withChosen(Intl.supportedValuesOf("timeZone"), emulation.timeZone).map(plain),
                ]}
                value={emulation.timeZone}
                onChange={(event) => chooseEmulation({ timeZone: event.target.value })}
              />
            )}
          </Field>
        </div>
      </Popover>
      {chosen.length > 0 && <p className="text-sm text-soft">{chosen.join(", ")}</p>}
    </>
  );
}

/** The terminal may have chosen one that is not offered here. */
const withChosen = (offered: readonly string[], chosen: string) =>
  chosen === "" || offered.includes(chosen) ? offered : [chosen, ...offered];

const plain = (value: string) => ({ value, label: value });

/** Asked for when the panel is opened: the catalogue is large. */
function HostSelect({ hostId, onHost }: Pick<WidgetControlsProps, "hostId" | "onHost">) {
  const { data } = useOperation("getHostCompatCatalog", {});
  const hosts = data?.catalog ?? [{ id: hostId, label: hostId }];
  return (
    <Field label="Host" hint="Its policy and display modes, as far as they are known.">
      {(control) => (
        <Select
          {...control}
          options={hosts.map(({ id, label }) => ({ value: id, label }))}
          value={hostId}
          onChange={(event) => onHost(event.target.value)}
        />
      )}
    </Field>
  );
}
