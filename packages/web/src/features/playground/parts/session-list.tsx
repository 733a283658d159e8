/** @module The conversations of a project: one's own and what others share, searched by title or by all that was said. */
import type { SessionSummary, TurnState } from "@fettle/contract/visitors";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Pin, Plus, Users } from "lucide-react";
import { useState } from "react";
import { FilterInput } from "../../../kit/list/filter-input.tsx";
import { Loaded } from "../../../kit/loaded.tsx";
import { useSettled } from "../../../kit/use-settled.ts";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { cx } from "../../../lib/cx.ts";
import { PageLink } from "../../../pages/page-link.tsx";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { Chip, type Tone } from "../../../ui/chip.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { Time } from "../../../ui/time.tsx";
import { type SessionFilter, sessionsQuery } from "../queries.ts";

export interface SessionListProps {
  projectId: string;
  /** The one that is open. */
  openId?: string;
}

export function SessionList({ projectId, openId }: SessionListProps) {
  const [filter, setFilter] = useState<SessionFilter>({ words: "", scope: "titles", status: "active" });
  const words = useSettled(filter.words.trim());
  const query = useInfiniteQuery(sessionsQuery(projectId, { ...filter, words }));
  const items = query.data?.pages.flatMap((page) => page.items);
  const searchedEvals = query.data?.pages[0]?.searchedEvals;
  return (
    <nav aria-label="Conversations" className="stack content-start gap-3">
      {openId && (
        <PageLink page="playground" params={{ pid: projectId }} className={buttonClass()}>
          <Plus aria-hidden="true" className="size-4" /> New conversation
        </PageLink>
      )}
      <FilterInput
        label="Search conversations"
        value={filter.words}
        onChange={(next) => setFilter({ ...filter, words: next })}
      />
      {filter.words.trim() !== "" && (
        <Choice
          as="segments"
          hideLabel
          label="Search in"
          value={filter.scope}
          onChange={(scope) => setFilter({ ...filter, scope })}
          options={[
            { value: "titles", label: "Titles" },
            { value: "transcripts", label: "All that was said" },
          ]}
        />
      )}
      <Choice
        as="segments"
        hideLabel
        label="Which conversations"
        value={filter.status}
        onChange={(status) => setFilter({ ...filter, status })}
        options={[
          { value: "active", label: "Open" },
          { value: "archived", label: "Archived" },
        ]}
      />
      <Loaded query={{ ...query, data: items }} what="the conversations">
        {(found) =>
          found.length === 0 ? (
            <p className="px-1 text-faint text-sm">
              {words === "" ? "None here yet." : `Nothing found for “${words}”.`}
            </p>
          ) : (
            <ul className="grid max-h-[calc(100dvh-20rem)] min-h-24 content-start gap-0.5 overflow-y-auto">
              {found.map((session) => (
                <SessionRow key={session.id} session={session} isOpen={session.id === openId} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {searchedEvals !== undefined && (
        <p className="px-1 text-faint text-sm">
          Of evals the latest {searchedEvals.toLocaleString("en")} conversations were searched.
        </p>
      )}
      {query.hasNextPage && (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          Show more
        </Button>
      )}
    </nav>
  );
}

const stateChips: Record<TurnState, { word: string; tone: Tone }> = {
  running: { word: "Under way", tone: "info" },
  waiting: { word: "Waits for a yes", tone: "warn" },
  interrupted: { word: "Cut off", tone: "neutral" },
};

interface SessionRowProps {
  session: SessionSummary;
  isOpen: boolean;
}

function SessionRow({ session, isOpen }: SessionRowProps) {
  const { id, projectId, title, firstMessagePreview, lastActivityAt, ownedByViewer, visibility, turnState } =
    session;
  return (
    <li>
      <PageLink
        page="playground-session"
        params={{ pid: projectId, chat: id }}
        data-row-focus=""
        aria-current={isOpen ? "page" : undefined}
        className={cx(
          "grid w-full gap-0.5 rounded-control px-2.5 py-1.5 focus-visible:-outline-offset-2",
          isOpen ? "bg-selected" : "hover:bg-hover",
        )}
      >
        <span className="flex min-w-0 items-center gap-1.5">
          {session.isPinned && <Pin aria-label="Pinned" className="size-3.5 shrink-0 text-accent-text" />}
          {visibility === "project" && (
            <Users
              aria-label={ownedByViewer ? "Shared with the project" : "Shared by somebody else"}
              className="size-3.5 shrink-0 text-faint"
            />
          )}
          <span className="min-w-0 truncate font-medium">
            <VisibleText text={title || firstMessagePreview || "Untitled"} />
          </span>
        </span>
        {session.matchPreview && (
          <span className="line-clamp-2 break-words text-faint text-sm">
            <VisibleText text={session.matchPreview} />
          </span>
        )}
        <span className="flex flex-wrap items-center gap-2 text-faint text-sm">
          <Time at={lastActivityAt} />
          {turnState && <Chip tone={stateChips[turnState].tone}>{stateChips[turnState].word}</Chip>}
        </span>
      </PageLink>
    </li>
  );
}
