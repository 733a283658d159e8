/** @module One version of a plugin: its state with reasons, and what is in it. */
import type { Plugin, PluginVersion } from "@fettle/contract/environments";
import type { ReactNode } from "react";
import { Blocked } from "../../../kit/blocked.tsx";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { PageLink } from "../../../pages/page-link.tsx";
import { Button } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import { toast } from "../../../ui/toast.tsx";

const states = {
  ready: { tone: "good", word: "Ready" },
  staging: { tone: "info", word: "Staging" },
  invalid: { tone: "bad", word: "Invalid" },
} as const;

const linkClass = "rounded-[4px] underline decoration-line-strong underline-offset-2";

export interface VersionCardProps {
  plugin: Plugin;
  version: PluginVersion;
  /** Why it cannot be made the active one; undefined when it can. */
  blocked: string | undefined;
}

export function VersionCard({ plugin, version, blocked }: VersionCardProps) {
  const isActive = plugin.activeVersionId === version.id;
  const activate = useChange("activatePluginVersion", () =>
    toast(`${nameOf(version)} is the active version`),
  );
  const { tone, word } = states[version.status];
  return (
    <div data-testid="plugin-version" data-status={version.status} data-active={isActive}>
      <Panel
        title={nameOf(version)}
        aside={
          <span className="flex flex-wrap items-center justify-end gap-2">
            <Chip tone={tone}>{word}</Chip>
            {isActive && (
              <Chip tone="accent" plain>
                Active
              </Chip>
            )}
            {version.status === "ready" && !isActive && (
              <Blocked reason={blocked}>
                <Button
                  busy={activate.busy}
                  onClick={() =>
                    activate.run({
                      projectId: plugin.projectId,
                      pluginId: plugin.id,
                      body: { pluginVersionId: version.id },
                    })
                  }
                >
                  Make active<span className="sr-only"> {nameOf(version)}</span>
                </Button>
              </Blocked>
            )}
          </span>
        }
        footer={
          <>
            <span>
              Uploaded <Time at={version.createdAt} />
            </span>
            <span className="flex items-center gap-1">
              <code className="break-all text-xs">{version.id}</code>
              <CopyButton small text={version.id} label="Copy id of the version" />
            </span>
          </>
        }
      >
        <div className="stack gap-4">
          {version.problems.length > 0 && (
            <Notice kind="bad" title="It cannot be used">
              <ul className="grid gap-1">
                {version.problems.map((problem) => (
                  <li key={problem} className="break-words">
                    <VisibleText text={problem} />
                  </li>
                ))}
              </ul>
            </Notice>
          )}
          <Contents projectId={plugin.projectId} version={version} />
          <FormFailure failure={activate.failure} />
        </div>
      </Panel>
    </div>
  );
}

function nameOf({ declaredVersion, bundleHash }: PluginVersion): string {
  return declaredVersion ? `Version ${declaredVersion}` : `Bundle ${bundleHash.slice(0, 12)}`;
}

function Contents({ projectId, version }: { projectId: string; version: PluginVersion }) {
  const { componentCounts: counts, skills, servers } = version;
  const rest = [
    counts.apps > 0 && `${counts.apps} apps`,
    counts.assets > 0 && (counts.assets === 1 ? "1 other file" : `${counts.assets} other files`),
    counts.unsupported > 0 &&
      `${counts.unsupported} ${counts.unsupported === 1 ? "file" : "files"} of a kind that is not supported (commands, agents, hooks)`,
  ].filter((part) => part !== false);
  return (
    <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
      <Part name={`Skills (${counts.skills})`} found={counts.skills} isEmpty={skills.length === 0}>
        {skills.map((skill) => (
          <li key={skill.componentId}>
            <PageLink
              page="skill"
              params={{ pid: projectId, kid: skill.materializedSkillId }}
              className={linkClass}
            >
              <VisibleText text={skill.declaredName} />
            </PageLink>
            <span className="text-faint text-sm"> as {skill.modelRef}</span>
          </li>
        ))}
      </Part>
      <Part name={`Servers (${counts.servers})`} found={counts.servers} isEmpty={servers.length === 0}>
        {servers.map((server) => (
          <li key={server.componentId}>
            <PageLink
              page="server-overview"
              params={{ pid: projectId, sid: server.materializedServerId }}
              className={linkClass}
            >
              <VisibleText text={server.declaredName} />
            </PageLink>
            <span className="text-faint text-sm">
              {" "}
              {server.placement}, signs in{" "}
              {server.authenticationPolicy === "on_use" ? "on use" : "on install"}
            </span>
          </li>
        ))}
      </Part>
      {rest.length > 0 && (
        <div className="sm:col-span-2">
          <dt className="text-faint text-sm">Besides</dt>
          <dd className="mt-0.5 text-soft">{rest.join(", ")}</dd>
        </div>
      )}
    </dl>
  );
}

interface PartProps {
  name: string;
  found: number;
  isEmpty: boolean;
  children: ReactNode;
}

/** What an invalid version holds is counted, but none of it is added to the project. */
function Part({ name, found, isEmpty, children }: PartProps) {
  const missing = found === 0 ? "None" : "Read, but not added: the version cannot be used.";
  return (
    <div className="min-w-0">
      <dt className="text-faint text-sm">{name}</dt>
      <dd className="mt-0.5">
        {isEmpty ? <span className="text-soft">{missing}</span> : <ul>{children}</ul>}
      </dd>
    </div>
  );
}
