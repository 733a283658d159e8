/** @module What the server may ask of this page: switched here, for this server and this browser. */
import type { ProjectServer } from "@fettle/contract/servers";
import { useState, useSyncExternalStore } from "react";
import { type Declared, declaredOf, setDeclared } from "../../../api/declared.ts";
import { Field } from "../../../ui/field.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Switch } from "../../../ui/switch.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { forgetLive } from "../queries.ts";

export function DeclaredPanel({ server }: { server: ProjectServer }) {
  const { subscribe, get } = declaredOf(server.id);
  const declared = useSyncExternalStore(subscribe, get);
  const [roots, setRoots] = useState(() => (declared.roots ?? []).map(({ uri }) => uri).join("\n"));
  const change = (next: Partial<Declared>) => {
    setDeclared(server.id, { ...declared, ...next });
    // Another declaration is another connection, on which the server may offer something else.
    forgetLive({ projectId: server.projectId, serverId: server.id });
  };
  return (
    <Panel
      title="What the server may ask you"
      about="Connections of this page declare it. Kept in this browser, for this server."
    >
      <div className="stack gap-4">
        <Switch
          label="Sampling"
          hint="A model's answer, which you write or refuse."
          checked={declared.sampling}
          onChange={(sampling) => change({ sampling })}
        />
        <Switch
          label="Elicitation"
          hint="A form to fill in, or a link to open."
          checked={declared.elicitation}
          onChange={(elicitation) => change({ elicitation })}
        />
        <Switch
          label="Tasks"
          hint="Calls that become tasks are followed, and what is asked above may be asked as a task."
          checked={declared.tasks}
          onChange={(tasks) => change({ tasks })}
        />
        <Switch
          label="Widgets"
          hint="Shown beside results. Some servers offer them only to clients that show them."
          checked={declared.widgets}
          onChange={(widgets) => change({ widgets })}
        />
        <Switch
          label="Roots"
          hint="The places below, told without asking you."
          checked={declared.roots !== null}
          onChange={(isOn) => change({ roots: isOn ? rootsOf(roots) : null })}
        />
        {declared.roots !== null && (
          <Field label="Places" optional hint="One address on each line, such as file:///home/ana/work">
            {(control) => (
              <Textarea
                {...control}
                spellCheck={false}
                className="font-mono"
                value={roots}
                onChange={(event) => setRoots(event.target.value)}
                onBlur={() => change({ roots: rootsOf(roots) })}
              />
            )}
          </Field>
        )}
      </div>
    </Panel>
  );
}

function rootsOf(text: string): { uri: string }[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((uri) => ({ uri }));
}
