/** @module How pages look and answer to keys on this device. Each choice takes effect at once. */
import { Monitor, Moon, Sun } from "lucide-react";
import { useSyncExternalStore } from "react";
import { preferences, setPreference } from "../../../lib/preferences.ts";
import { Choice } from "../../../ui/choice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Switch } from "../../../ui/switch.tsx";

export function AppearanceForm() {
  const now = useSyncExternalStore(preferences.subscribe, preferences.get);
  return (
    <>
      <Panel title="Look" about="Kept in this browser, and used for every page of this deployment.">
        <div className="grid gap-6">
          <Choice
            as="segments"
            label="Theme"
            value={now.theme}
            onChange={(value) => setPreference("theme", value)}
            options={[
              { value: "system", label: "System", icon: <Monitor aria-hidden="true" className="size-4" /> },
              { value: "light", label: "Light", icon: <Sun aria-hidden="true" className="size-4" /> },
              { value: "dark", label: "Dark", icon: <Moon aria-hidden="true" className="size-4" /> },
            ]}
          />
          <Choice
            as="segments"
            label="Density"
            value={now.density}
            onChange={(value) => setPreference("density", value)}
            options={[
              { value: "comfortable", label: "Comfortable" },
              { value: "standard", label: "Standard" },
              { value: "compact", label: "Compact" },
            ]}
          />
          <Choice
            as="segments"
            label="Size of code"
            value={now.codeSize}
            onChange={(value) => setPreference("codeSize", value)}
            options={[
              { value: "small", label: "Small" },
              { value: "standard", label: "Standard" },
              { value: "large", label: "Large" },
            ]}
          />
          <Choice
            as="segments"
            label="Times"
            value={now.time}
            onChange={(value) => setPreference("time", value)}
            options={[
              { value: "relative", label: "5 min. ago" },
              { value: "exact", label: "Date and time" },
            ]}
          />
        </div>
      </Panel>
      <Panel title="Behaviour">
        <div className="grid gap-5">
          <Switch
            label="Reduce motion"
            hint="The system's own setting is always followed as well."
            checked={now.motion === "off"}
            onChange={(off) => setPreference("motion", off ? "off" : "system")}
          />
          <Switch
            label="Single-key shortcuts"
            hint="Such as g k for the keys page. The palette stays on either way."
            checked={now.shortcuts === "on"}
            onChange={(on) => setPreference("shortcuts", on ? "on" : "off")}
          />
        </div>
      </Panel>
    </>
  );
}
