/** @module Takes a pasted command line or configuration, shows what will be saved and what has to be run, saves it, and waits for the rest. */
import {
  type ConfiguredHttpServer,
  type ConfiguredServer,
  type ConfiguredStdioServer,
  type OpenPlace,
  type ProjectServer,
  readServerText,
  savedFormOf,
  type Tunnel,
} from "@fettle/contract";
import { useEffect, useState } from "react";
import { failureOf } from "../../../api/failure.ts";
import { change, useOperation } from "../../../api/operation.ts";
import { DialogForm } from "../../../kit/form-dialog.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { isLocal } from "../../../lib/local.ts";
import { Chip } from "../../../ui/chip.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Textarea } from "../../../ui/textarea.tsx";

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
  const config = text.trim() === "" ? undefined : readServerText(text);
  const servers = config?.ok ? config.servers : [];
  const isTaken = ({ name }: ConfiguredServer) =>
    takenNames.some((taken) => taken.toLowerCase() === name.toLowerCase());
  const savable = servers.filter(isSavable).filter((server) => !isTaken(server));
  const local = isLocal ? [] : servers.filter(({ kind }) => kind === "stdio").map(({ name }) => name);
  const live = useLiveTunnels(projectId, local);
  // There is nothing else to do here: the page of the server is where it goes on.
  const only = servers.length === 1 ? live[0] : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each tunnel, whoever is told.
  useEffect(() => {
    if (only) onAdded({ id: only.serverId, name: only.serverName });
  }, [only?.serverId]);
  const open = openPlaces(savable.filter((server) => server.kind === "http"));
  const missing = open.filter(({ name, fallback }) => !values[name] && fallback === undefined);
  const save = useAction(
    async () => {
      let count = 0;
      let last: Pick<ProjectServer, "id" | "name"> | undefined;
      for (const server of savable) {
        const { name } = server;
        const body = savedFormOf(server, (place) => values[place] || undefined);
        last = await change("createProjectServer", { projectId, body }).catch((error: unknown) => {
          const failure = failureOf(error);
          failure.message = `${name}: ${failure.message}${count > 0 ? ` (${count} saved before it)` : ""}`;
          throw failure;
        });
        count += 1;
      }
      return { count, last };
    },
    ({ count, last }) => (isLocal && count === 1 && last ? onAdded(last) : onImported(count)),
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
              server={server}
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

/** A command is saved where it can be started: on the person's own machine, once they approve it. */
const isSavable = (server: ConfiguredServer): server is ConfiguredHttpServer | ConfiguredStdioServer =>
  server.kind === "http" || (isLocal && server.kind === "stdio");

/** Each name once, however often the file writes it. */
function openPlaces(servers: readonly ConfiguredHttpServer[]): OpenPlace[] {
  const all = servers.flatMap(({ places }) => places);
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

interface FoundServerProps {
  server: ConfiguredServer;
  isTaken: boolean;
  isLive: boolean;
}

function FoundServer({ server, isTaken, isLive }: FoundServerProps) {
  return (
    <li className="grid gap-1 px-3 py-2.5">
      <div className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{server.name}</span>
        {isSavable(server) && !isTaken && <Chip tone="good">will be saved</Chip>}
        {isSavable(server) && isTaken && <Chip tone="warn">name is taken</Chip>}
        {server.kind === "stdio" && !isLocal && (
          <span data-testid="local-server" data-state={isLive ? "live" : "waiting"}>
            {isLive ? <Chip tone="good">Live</Chip> : <Chip tone="info">waits for its tunnel</Chip>}
          </span>
        )}
        {(server.kind === "unreadable" || server.kind === "foreign") && (
          <Chip tone={server.kind === "foreign" ? "info" : "bad"}>cannot be saved</Chip>
        )}
      </div>
      {server.kind === "http" && (
        <p className="break-all text-faint text-sm">
          {server.url}
          {Object.keys(server.headers).length > 0 && ` · sends ${Object.keys(server.headers).join(", ")}`}
        </p>
      )}
      {"reason" in server && <p className="text-faint text-sm">{server.reason}</p>}
      {server.kind === "stdio" && isLocal && (
        <p className="wrap-anywhere text-faint text-sm">
          {[server.command, ...server.args].join(" ")} · started once you have approved it, word by word
        </p>
      )}
      {server.kind === "stdio" && !isLocal && (
        <>
          <p className="text-faint text-sm">
            A service starts no commands. Run this where the command lives; the server is there as soon as it
            connects{isTaken && ", in the place of the one that is saved under this name"}.
            {Object.keys(server.env).length > 0 &&
              ` Values of ${Object.keys(server.env).join(", ")} are not sent anywhere: have them set in that terminal.`}
          </p>
          <div className="flex items-center gap-1 rounded-control border border-line bg-sunken py-0.5 pr-1 pl-3">
            <code className="min-w-0 flex-1 overflow-x-auto whitespace-nowrap text-code">
              {server.tunnel}
            </code>
            <CopyButton small text={server.tunnel} label={`Copy the command for ${server.name}`} />
          </div>
        </>
      )}
    </li>
  );
}
