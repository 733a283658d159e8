/** @module Personas by targets: every session of the latest run of each journey, each a way to what was said in it. */
import type { SwarmMatrix as Matrix } from "@fettle/contract/visitors";
import { percent } from "../../../lib/amounts.ts";
import { PageLink } from "../../../pages/page-link.tsx";
import { Cell, HeadCell, Row, Table } from "../../../ui/table.tsx";
import { Time } from "../../../ui/time.tsx";
import { Unknown } from "../../../ui/unknown.tsx";
import { goalRate, goalText } from "../run-words.ts";
import { RunChip } from "./run-chip.tsx";
import { markLook, markWords, SessionMark } from "./session-mark.tsx";

type MatrixRow = Matrix["rows"][number];

export function SwarmMatrix({ pid, rows }: { pid: string; rows: readonly MatrixRow[] }) {
  const targets = new Map(
    rows.flatMap(({ run }) => (run?.targets ?? []).map(({ targetId, name }) => [targetId, name])),
  );
  return (
    <div data-testid="swarm-matrix" data-running={rows.some(({ run }) => run?.status === "running")}>
      <Table label="Personas by targets">
        <thead>
          <tr>
            <HeadCell>Persona and journey</HeadCell>
            {[...targets].map(([id, name]) => (
              <HeadCell key={id}>{name}</HeadCell>
            ))}
            <HeadCell className="text-right">Last run</HeadCell>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <JourneyRow key={row.journeyId} pid={pid} row={row} targetIds={[...targets.keys()]} />
          ))}
        </tbody>
      </Table>
    </div>
  );
}

interface JourneyRowProps {
  pid: string;
  row: MatrixRow;
  targetIds: readonly string[];
}

function JourneyRow({ pid, row: { journeyId, journeyName, persona, run }, targetIds }: JourneyRowProps) {
  const rate = run && goalRate(run);
  return (
    <Row>
      <Cell>
        <span className="grid min-w-40">
          <span className="break-words font-medium">{persona.name}</span>
          <PageLink
            data-row-focus=""
            page="journey-results"
            params={{ pid, jid: journeyId }}
            className="w-fit break-words text-sm text-soft underline"
          >
            {journeyName}
          </PageLink>
        </span>
      </Cell>
      {targetIds.map((id) => {
        const target = run?.targets.find(({ targetId }) => targetId === id);
        return (
          <Cell key={id}>
            {run && target ? (
              <span className="flex min-w-24 max-w-64 flex-wrap gap-1">
                {target.sessions.map((session, at) => (
                  <PageLink
                    key={session.id}
                    page="journey-run"
                    params={{ pid, jrid: run.id }}
                    search={{ session: session.id }}
                    title={markWords(at + 1, session.state)}
                    aria-label={`${persona.name} on ${target.name}. ${markWords(at + 1, session.state)}`}
                    data-testid="session-mark"
                    data-state={session.state}
                    className={markLook(session.state)}
                  >
                    <SessionMark state={session.state} />
                  </PageLink>
                ))}
              </span>
            ) : (
              <Unknown reason="It was not tried there." />
            )}
          </Cell>
        );
      })}
      <Cell className="text-right">
        {run ? (
          <span className="grid justify-items-end gap-0.5">
            <PageLink page="journey-run" params={{ pid, jrid: run.id }} className="rounded-full">
              <RunChip run={run} />
            </PageLink>
            <span className="text-faint text-sm" title={goalText(run)}>
              {rate !== null && `${percent(rate)} reached the goal, `}
              <Time at={run.createdAt} />
            </span>
          </span>
        ) : (
          <span className="text-faint text-sm">Never launched</span>
        )}
      </Cell>
    </Row>
  );
}
