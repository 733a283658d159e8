/** @module `/p/:pid/user-testing/:scid/sessions/:vsid`: what one visitor said. `?at=message:N`, or `?say=` for a remark, leads to the turn of a finding's evidence. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useOperation } from "../../api/operation.ts";
import { SessionTranscript } from "../../features/user-testing/parts/session-transcript.tsx";
import { sessionQuery } from "../../features/user-testing/queries.ts";
import { endText, visitorText } from "../../features/user-testing/scenario-words.ts";
import { sessionTurns, turnOf } from "../../features/user-testing/session-turns.ts";
import { ShowMore } from "../../kit/list/show-more.tsx";
import { Loaded } from "../../kit/loaded.tsx";
import { useOpenPage } from "../../pages/page-context.tsx";
import { PageFrame } from "../../pages/page-frame.tsx";
import { PageLink } from "../../pages/page-link.tsx";
import { useSearchText } from "../../pages/use-search.ts";
import { Chip } from "../../ui/chip.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";

export function VisitorSessionPage() {
  const { pid = "", scid = "", vsid = "" } = useOpenPage().parameters;
  const query = useInfiniteQuery(sessionQuery({ projectId: pid, scenarioId: scid, sessionId: vsid }));
  const scenario = useOperation("getScenario", { projectId: pid, scenarioId: scid }).data;
  const [say] = useSearchText("say");
  const [at] = useSearchText("at");
  const session = query.data?.pages[0];
  const messages = query.data?.pages.flatMap((page) => page.messages) ?? [];
  const place = at.startsWith("message:") ? Number(at.slice("message:".length)) : undefined;
  // Long ones are read on until the message is there.
  const isFurther = place !== undefined && place > (messages.at(-1)?.index ?? 0);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  useEffect(() => {
    if (isFurther && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [isFurther, hasNextPage, isFetchingNextPage, fetchNextPage]);
  return (
    <PageFrame
      id="visitor-session"
      title={session ? visitorText(session) : "Visitor's session"}
      chip={
        session && <Chip tone={session.ended === null ? "info" : "neutral"}>{endText(session.ended)}</Chip>
      }
      about={
        <>
          <PageLink page="scenario" params={{ pid, scid }} className="underline">
            {scenario?.name ?? "The scenario"}
          </PageLink>
          {session && (
            <>
              {" · begun "}
              <Time at={session.startedAt} />
              {session.modelId && ` · ${session.modelId} answered`}
            </>
          )}
        </>
      }
    >
      <Loaded query={query} what="the session">
        {({ pages }) => {
          const turns = sessionTurns(messages);
          if (pages[0]?.transcriptUnavailable) {
            return <Notice kind="warn">What was said cannot be read any more.</Notice>;
          }
          if (turns.length === 0) {
            return <p className="text-soft">There is nothing to read: nothing was said, or it was erased.</p>;
          }
          return (
            <SessionTranscript
              turns={turns}
              at={
                place === undefined
                  ? turnOf(turns, say)
                  : messages.find(({ index }) => index === place)?.turnId
              }
            />
          );
        }}
      </Loaded>
      <ShowMore query={query} />
    </PageFrame>
  );
}
