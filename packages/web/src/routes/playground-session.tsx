/** @module `/p/:pid/playground/:chat`: one conversation. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { Chat } from "../features/playground/parts/chat.tsx";
import { PlaygroundLayout } from "../features/playground/parts/playground-layout.tsx";
import { SessionBar } from "../features/playground/parts/session-bar.tsx";
import { SessionList } from "../features/playground/parts/session-list.tsx";
import { ownSessionsQuery, sessionQuery } from "../features/playground/queries.ts";
import { Loaded } from "../kit/loaded.tsx";
import { useOpenPage } from "../pages/page-context.tsx";
import { PageFrame } from "../pages/page-frame.tsx";
import { PageLink } from "../pages/page-link.tsx";
import { pagePath } from "../pages/pages.ts";

const CaseDialog = lazy(async () => ({
  default: (await import("../features/playground/parts/case-dialog.tsx")).CaseDialog,
}));

export function PlaygroundSession() {
  const { pid = "", chat = "" } = useOpenPage().parameters;
  const query = useQuery(sessionQuery({ projectId: pid, sessionId: chat }));
  const own = useQuery(ownSessionsQuery(pid)).data?.items ?? [];
  const navigate = useNavigate();
  const [isMakingCase, setMakingCase] = useState(false);
  const title = query.data?.title ?? "Conversation";
  return (
    <PageFrame id="playground-session" title={title} width="full">
      <PlaygroundLayout alone list={<SessionList projectId={pid} openId={chat} />}>
        <PageLink
          page="playground"
          params={{ pid }}
          className="w-fit rounded-[4px] text-accent-text text-sm underline underline-offset-2 lg:hidden"
        >
          All conversations
        </PageLink>
        <Loaded query={query} what="the conversation">
          {(session) => (
            <>
              <SessionBar
                session={session}
                isPinned={own.some(({ id, isPinned }) => id === chat && isPinned)}
                onMakeCase={() => setMakingCase(true)}
                onDeleted={() => void navigate({ to: pagePath("playground", { pid }) })}
              />
              <Chat
                key={chat}
                session={session}
                onOpen={(id) => void navigate({ to: pagePath("playground-session", { pid, chat: id }) })}
              />
              {isMakingCase && (
                <Suspense>
                  <CaseDialog session={session} onClose={() => setMakingCase(false)} />
                </Suspense>
              )}
            </>
          )}
        </Loaded>
      </PlaygroundLayout>
    </PageFrame>
  );
}
