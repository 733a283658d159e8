/** @module One server that was found in what somebody pasted: what becomes of it, and, of a command, where it is to run. */
import type { SandboxImageId } from "@fettle/contract/core";
import type { ConfiguredServer, ConfiguredStdioServer } from "@fettle/contract/servers";
import type { UsableImages } from "../../../api/server-image.ts";
import { isLocal } from "../../../lib/local.ts";
import { PageLink } from "../../../pages/page-link.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Select } from "../../../ui/select.tsx";

export interface FoundServerProps {
  projectId: string;
  server: ConfiguredServer;
  images: UsableImages;
  /** Of a command in a service: the image it is to run in; undefined: it waits for its tunnel. */
  image: SandboxImageId | undefined;
  onImage: (image: SandboxImageId | undefined) => void;
  isSavable: boolean;
  isTaken: boolean;
  isLive: boolean;
}

export function FoundServer(props: FoundServerProps) {
  const { server, images, isSavable, isTaken, isLive } = props;
  const isTunnelled = server.kind === "stdio" && !isLocal && !isSavable && !images.isPending;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-1 px-3 py-2.5">
      <div className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{server.name}</span>
        {isSavable && !isTaken && <Chip tone="good">will be saved</Chip>}
        {isSavable && isTaken && <Chip tone="warn">name is taken</Chip>}
        {isTunnelled && (
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
      {server.kind === "stdio" && !isLocal && <FoundCommand {...props} server={server} />}
    </li>
  );
}

interface FoundCommandProps extends FoundServerProps {
  server: ConfiguredStdioServer;
}

function FoundCommand({ projectId, server, images, image, onImage, isTaken }: FoundCommandProps) {
  const { isPending, hasEngine, ready } = images;
  if (isPending) return null;
  return (
    <>
      {ready.length > 0 && (
        <Select
          aria-label={`Where ${server.name} runs`}
          className="my-1 max-w-96"
          value={image ?? ""}
          // The list's own ids, or none.
          onChange={(event) => onImage((event.target.value || undefined) as SandboxImageId | undefined)}
          options={[
            ...ready.map(({ id, name }) => ({ value: id, label: `Here, in the image ${name}` })),
            { value: "", label: "On a machine, through a tunnel" },
          ]}
        />
      )}
      {image ? (
        <RunsHere server={server} />
      ) : (
        <>
          {hasEngine !== undefined && ready.length === 0 && (
            <p className="text-faint text-sm">
              {hasEngine
                ? "The service runs commands in images only, and this project shares none that is built. "
                : "This service has no container engine, so it runs no commands itself. "}
              <PageLink page="images" params={{ pid: projectId }} className="text-link underline">
                {hasEngine ? "Build and share an image" : "What an operator installs"}
              </PageLink>
              , or use a tunnel:
            </p>
          )}
          <ThroughTunnel server={server} isTaken={isTaken} />
        </>
      )}
    </>
  );
}

function RunsHere({ server: { command, args, env, cwd } }: { server: ConfiguredStdioServer }) {
  const variables = Object.keys(env);
  return (
    <>
      <code className="line-clamp-3 whitespace-pre-wrap wrap-anywhere text-code">
        {[command, ...args].join(" ")}
      </code>
      <p className="text-faint text-sm">
        It is started in a container of the image, for everybody in the project. The command and the files it
        names have to be in the image, and it may have no network to fetch more.
        {variables.length > 0 &&
          ` Values of ${variables.join(", ")} are saved encrypted and opened only in the container.`}
        {cwd !== undefined && ` Its folder ${cwd} is not taken over: it starts in the image's own.`}
      </p>
    </>
  );
}

function ThroughTunnel({ server, isTaken }: { server: ConfiguredStdioServer; isTaken: boolean }) {
  const variables = Object.keys(server.env);
  return (
    <>
      <p className="text-faint text-sm">
        Run this where the command lives; the server is there as soon as it connects
        {isTaken && ", in the place of the one that is saved under this name"}.
        {variables.length > 0 &&
          ` Values of ${variables.join(", ")} are not sent anywhere: have them set in that terminal.`}
      </p>
      <div className="flex items-center gap-1 rounded-control border border-line bg-sunken py-0.5 pr-1 pl-3">
        <code className="wrap-anywhere min-w-0 flex-1 text-code">{server.tunnel}</code>
        <CopyButton small text={server.tunnel} label={`Copy the command for ${server.name}`} />
      </div>
    </>
  );
}
