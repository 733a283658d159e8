/** @module Takes a pasted command line or configuration, shows what will be saved and what has to be run, saves it, and waits for the rest. */
import type { SandboxImageId } from "@fettle/contract/core";
import {
  type ConfiguredHttpServer,
  type ConfiguredServer,
  type ConfiguredStdioServer,
  type OpenPlace,
  type ProjectServer,
  readServerText,
  savedFormOf,
  type Tunnel,
} from "@fettle/contract/servers";
import { useEffect, useState } from "react";
import { failureOf } from "../../../api/failure.ts";
import { change, useOperation } from "../../../api/operation.ts";
import { useUsableImages } from "../../../api/server-image.ts";
import { DialogForm } from "../../../kit/form-dialog.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { isLocal } from "../../../lib/local.ts";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Textarea } from "../../../ui/textarea.tsx";
import { FoundServer } from "./found-server.tsx";

export interface ImportServersProps {
  projectId: string;
  takenNames: readonly string[];
  text: string;
  onText: (text: string) => void;
  onClose: () => void;
  onAdded: (server: Pick<ProjectServer, "id" | "name">) => void;
  onImported: (count: number) => void;
}

export function ImportServers(props: ImportServersProps) {
  const { projectId, takenNames, text, onText, onClose, onAdded, onImported } = props;
  const [values, setValues] = useState<Record<string, string>>({});
  const [chosen, setChosen] = useState<Record<string, SandboxImageId | undefined>>({});
  const config = text.trim() === "" ? undefined : readServerText(text);
  const servers = config?.ok ? config.servers : [];
  const isTaken = ({ name }: ConfiguredServer) =>
    takenNames.some((taken) => taken.toLowerCase() === name.toLowerCase());
  const commands = servers.filter(({ kind }) => kind === "stdio");
  const images = useUsableImages(projectId, commands.length > 0);
  // The first image, unless somebody chose: what can be saved here is saved, and the tunnel is a choice away.
  const imageFor = ({ kind, name }: ConfiguredServer) => {
    if (kind !== "stdio" || isLocal) return undefined;
    // An id of the list.
    return Object.hasOwn(chosen, name) ? chosen[name] : (images.ready[0]?.id as SandboxImageId | undefined);
  };
  /** A command is saved where it can be started: in an image, or on the person's own machine, once they approve it. */
  const isSavable = (server: ConfiguredServer): server is Readable =>
    server.kind === "http" || (server.kind === "stdio" && (isLocal || imageFor(server) !== undefined));
  const savable = servers.filter(isSavable).filter((server) => !isTaken(server));
  const tunnelled = isLocal ? [] : commands.filter((server) => !isSavable(server)).map(({ name }) => name);
  const live = useLiveTunnels(projectId, tunnelled);
  // There is nothing else to do here: the page of the server is where it goes on.
  const only = servers.length === 1 ? live[0] : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each tunnel, whoever is told.
  useEffect(() => {
    if (only) onAdded({ id: only.serverId, name: only.serverName });
  }, [only?.serverId]);
  const open = openPlaces(
    savable.filter((server) => server.kind === "http" || imageFor(server) !== undefined),
  );
  const missing = open.filter(({ name, fallback }) => !values[name] && fallback === undefined);
  const save = useAction(
    async () => {
      let count = 0;
      let last: Pick<ProjectServer, "id" | "name"> | undefined;
      for (const server of savable) {
        const { name } = server;
        const body = savedFormOf(server, (place) => values[place] || undefined, imageFor(server));
        last = await change("createProjectServer", { projectId, body }).catch((error: unknown) => {
          const failure = failureOf(error);
          failure.message = `${name}: ${failure.message}${count > 0 ? ` (${count} saved before it)` : ""}`;
          throw failure;
        });
        count += 1;
      }
      return { count, last };
    },
    ({ count, last }) => {
      // A command goes on where it is looked at: whether it starts is seen there.
      const goesOn = isLocal || (servers.length === 1 && commands.length === 1);
      return goesOn && count === 1 && last ? onAdded(last) : onImported(count);
    },
  );
  return (
    <DialogForm
      label="Import servers"
      submit={savable.length === 1 ? "Save 1 server" : `Save ${savable.length} servers`}
      action={save}
      ready={missing.length === 0 && savable.length > 0}
      onClose={onClose}
      onSubmit={() => save.run()}
    >
      <Field
        label="Command or configuration"
        name="config"
        hint="A command line, or the mcp.json of an editor or desktop host. It is read here, in your browser."
      >
        {(control) => (
          <Textarea
            {...control}
            // What was entered as an address goes on here.
            autoFocus={text !== ""}
            rows={6}
            spellCheck={false}
            value={text}
            placeholder={`npx -y @acme/shop --flag\n{ "mcpServers": { "shop": { "url": "https://shop.example.com/mcp" } } }`}
            className="max-h-72 font-mono text-code"
            onChange={(event) => onText(event.target.value)}
          />
        )}
      </Field>
      {config && !config.ok && <Notice kind="bad">{config.reason}</Notice>}
      {servers.length > 0 && (
        <ul
          aria-label="What was found"
          className="grid divide-y divide-line rounded-control border border-line"
        >
          {servers.map((server) => (
            <FoundServer
              key={server.name}
              projectId={projectId}
              server={server}
              images={images}
              image={imageFor(server)}
              onImage={(image) => setChosen({ ...chosen, [server.name]: image })}
              isSavable={isSavable(server)}
              isTaken={isTaken(server)}
              isLive={live.some(({ serverName }) => serverName === server.name)}
            />
          ))}
        </ul>
      )}
      {open.map(({ name, text: written, fallback, about }) => (
        <Field
          key={name}
          label={written}
          hint={
            fallback === undefined
              ? `${about ?? "The file leaves this open."} It is saved encrypted.`
              : `Empty: ${fallback || "nothing"}, as the file says.`
          }
        >
          {(control) => (
            <Input
              {...control}
              type="password"
              autoComplete="off"
              value={values[name] ?? ""}
              onChange={(event) => setValues({ ...values, [name]: event.target.value })}
            />
          )}
        </Field>
      ))}
    </DialogForm>
  );
}

type Readable = ConfiguredHttpServer | ConfiguredStdioServer;

/** Each name once, however often the file writes it. */
function openPlaces(servers: readonly Readable[]): OpenPlace[] {
  const all = servers.flatMap(({ places, ...server }) => {
    if (server.kind === "http") return places;
    const texts = [server.command, ...server.args, ...Object.values(server.env)];
    // Its folder is not saved, and what that leaves open neither.
    return places.filter(({ text }) => texts.some((each) => each.includes(text)));
  });
  return [...new Map(all.map((place) => [place.name, place])).values()];
}

/** The tunnels of these names that were not connected when they were first looked at, and are now. */
function useLiveTunnels(projectId: string, names: readonly string[]): Tunnel[] {
  const { data } = useOperation("listTunnels", { projectId }, { enabled: names.length > 0 });
  const [before, setBefore] = useState<readonly number[]>();
  const connected = data?.items.filter(({ state }) => state === "connected");
  useEffect(() => {
    if (connected && !before) setBefore(connected.map(({ since }) => since));
  }, [connected, before]);
  if (!connected || !before) return [];
  return connected.filter(({ serverName, since }) => names.includes(serverName) && !before.includes(since));
}
