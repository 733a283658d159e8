/** @module The sessions of a scenario's visitors, the latest first; open ones say so. */
import { ratingText, type UserTestingSession } from "@fettle/contract/visitors";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { RowLink } from "../../../pages/row-link.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Time } from "../../../ui/time.tsx";
import { endText, visitorText } from "../scenario-words.ts";

export interface SessionTableProps {
  pid: string;
  scid: string;
  sessions: readonly UserTestingSession[];
  more: boolean;
}

export function SessionTable({ pid, scid, sessions, more }: SessionTableProps) {
  return (
    <DataTable<UserTestingSession>
      caption="Visitors' sessions"
      columns={[
        {
          id: "session",
          header: "Session",
          cell: (session) => (
            <RowLink
              page="visitor-session"
              params={{ pid, scid, vsid: session.id }}
              note={visitorText(session)}
              chip={session.population === "synthetic" && <Chip plain>Try of your own</Chip>}
            >
              <VisibleText text={session.preview || "Nothing said yet"} />
            </RowLink>
          ),
        },
        {
          id: "state",
          header: "State",
          cell: ({ ended, authInterrupted }) => (
            <span className="flex flex-wrap gap-1.5">
              <Chip tone={ended === null ? "info" : "neutral"}>{endText(ended)}</Chip>
              {authInterrupted && <Chip tone="warn">Wanted a sign-in</Chip>}
            </span>
          ),
        },
        {
          id: "feedback",
          header: "Rating",
          cell: ({ feedback }) => <Rated feedback={feedback} />,
        },
        {
          id: "calls",
          header: "Calls",
          wideOnly: true,
          align: "end",
          cell: ({ toolCallCount = 0, toolErrorCount = 0 }) => (
            <span className="text-soft tabular-nums">
              {toolCallCount}
              {toolErrorCount > 0 && `, ${toolErrorCount} failed`}
            </span>
          ),
        },
        {
          id: "when",
          header: "Last heard",
          wideOnly: true,
          align: "end",
          cell: ({ lastActivityAt }) => <Time at={lastActivityAt} />,
        },
      ]}
      items={sessions}
      keyOf={({ id }) => id}
      more={more}
      noun={["session", "sessions"]}
    />
  );
}

function Rated({ feedback }: Pick<UserTestingSession, "feedback">) {
  const { rating, style, comment } = feedback;
  if (rating === null || style === null) return <span className="text-faint">Unrated</span>;
  return (
    <span className="grid">
      {ratingText(rating, style)}
      {comment && (
        <span className="line-clamp-2 max-w-60 break-words text-faint text-sm">
          <VisibleText text={comment} />
        </span>
      )}
    </span>
  );
}
