/** @module Which hosts a server works on: runs by itself the first time, and again when asked. */
import type { ProjectServer } from "@fettle/contract/servers";
import { failureOf } from "../../../api/failure.ts";
import { useOperation } from "../../../api/operation.ts";
import { FailureView } from "../../../kit/failure-view.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { Button } from "../../../ui/button.tsx";
import { Chip, type Tone } from "../../../ui/chip.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { Time } from "../../../ui/time.tsx";
import type { CompatReport } from "../queries.ts";

type Host = CompatReport["hosts"][number];
type Finding = Host["findings"][number];

const tones: Record<Host["verdict"], Tone> = {
  works: "good",
  unknown: "neutral",
  degraded: "warn",
  blocked: "bad",
};

const unknowns: Record<string, string> = {
  tools: "The tools could not be listed, so no host can be promised to work.",
  "tool-list-truncated": "The list of tools goes on after what was read, so no host can be promised to work.",
  widgets: "Some widgets could not be read, so what they need of a host is not known.",
  "protocol-versions": "Some protocol versions could not be tried.",
};

export function CompatView({ server }: { server: ProjectServer }) {
  const query = useOperation("checkServerCompat", { projectId: server.projectId, serverId: server.id });
  const again = () => void query.refetch();
  if (query.isError && !query.data) {
    return <FailureView failure={failureOf(query.error)} what="the hosts" onRetry={again} />;
  }
  if (!query.data) {
    return (
      <Panel>
        <p role="status" className="flex items-center gap-2.5 text-soft">
          <Spinner /> Reading the tools and widgets of {server.name}, and trying the versions hosts speak …
        </p>
      </Panel>
    );
  }
  const { summary, hosts, checkedAt, unknownDimensions, protocolVersions } = query.data;
  const spoken = protocolVersions.filter(({ is }) => is === "accepted").map(({ version }) => version);
  return (
    <>
      <Panel
        title={`Works on ${summary.works} of ${hosts.length} hosts`}
        about={
          <>
            {summary.degraded} degraded, {summary.blocked} blocked, {summary.unknown} unknown. The server
            speaks {spoken.toSorted().join(", ")}. Looked at <Time at={checkedAt} />; no tool was called.
          </>
        }
        aside={
          <Button busy={query.isFetching} onClick={again}>
            Look again
          </Button>
        }
      >
        <ul data-testid="compat" className="grid gap-px">
          {hosts.map((host) => (
            <HostLine key={host.hostId} host={host} />
          ))}
        </ul>
      </Panel>
      {unknownDimensions.map((dimension) => (
        <Notice key={dimension} kind="warn">
          {unknowns[dimension] ?? dimension}
        </Notice>
      ))}
    </>
  );
}

function HostLine({ host }: { host: Host }) {
  const { hostId, hostLabel, verdict, hasUnknowns, confidence, provenance, verifiedAt, findings } = host;
  const head = (
    <span className="inline-grid w-[calc(100%-1.5rem)] grid-cols-[minmax(6rem,9rem)_minmax(6rem,13rem)_1fr] items-baseline gap-x-3">
      <span className="font-medium">{hostLabel}</span>
      <span>
        <Chip tone={tones[verdict]}>{verdict}</Chip>
        {hasUnknowns && verdict === "degraded" && (
          <span className="ml-2 text-faint text-sm">more unknown</span>
        )}
      </span>
      <span className="hidden min-w-0 truncate text-right text-faint text-sm sm:block">
        confidence {confidence}, {provenance} {verifiedAt}
      </span>
    </span>
  );
  return (
    <li data-host={hostId} data-verdict={verdict} className="py-1">
      {findings.length === 0 ? (
        <span className="pl-[15px]">{head}</span>
      ) : (
        <details>
          <summary className="rounded-[4px]">{head}</summary>
          <ul className="stack gap-3 py-3 pl-5">
            {findings.map((finding) => (
              <li key={`${finding.code} ${finding.title}`} data-code={finding.code}>
                <FindingText finding={finding} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}

const severities: Record<Finding["severity"], Tone> = { blocker: "bad", degraded: "warn", info: "info" };

function FindingText({ finding }: { finding: Finding }) {
  const { severity, title, code, detail, remediation, tools, confidence, sources } = finding;
  return (
    <div className="grid gap-1">
      <p className="flex flex-wrap items-center gap-2">
        <Chip tone={severities[severity]}>{severity}</Chip>
        <span className="font-medium">
          <VisibleText text={title} />
        </span>
        <code className="text-faint text-sm">{code}</code>
      </p>
      <p className="text-soft">
        <VisibleText text={detail} />
      </p>
      {tools && (
        <p className="break-words font-mono text-code text-faint">
          <VisibleText text={tools.join(", ")} />
        </p>
      )}
      {remediation && (
        <p>
          <VisibleText text={remediation} />
        </p>
      )}
      <p className="text-faint text-sm">
        Confidence {confidence}. Known by{" "}
        {sources.map(({ url, note, date }) => (
          <span key={url ?? note} className="mr-2 break-words">
            {url?.startsWith("https://") ? (
              <a className="underline" href={url} rel="noreferrer" target="_blank">
                {url}
              </a>
            ) : (
              note
            )}{" "}
            ({date})
          </span>
        ))}
      </p>
    </div>
  );
}
