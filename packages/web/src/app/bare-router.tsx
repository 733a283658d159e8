/** @module The bare pages, by the manifest's ids. Small enough to need no router: each is reached by loading it. */
import type { Bootstrap } from "@fettle/contract";
import { type ComponentType, lazy, Suspense } from "react";
import { app } from "../api/client.ts";
import { FailureView } from "../kit/failure-view.tsx";
import { Loading } from "../kit/loading.tsx";
import { useLoad } from "../kit/use-load.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { type BarePageId, matchPage } from "./pages.ts";
import { Entrance } from "./shells/entrance.tsx";

export interface BarePageProps {
  bootstrap: Bootstrap;
  /** The secret of the link that led here, already out of the address bar. */
  token: string | null;
}

const components: Record<BarePageId, ComponentType<BarePageProps>> = {
  setup: lazy(async () => ({ default: (await import("../routes/setup.tsx")).Setup })),
  login: lazy(async () => ({ default: (await import("../routes/login.tsx")).Login })),
  join: lazy(async () => ({ default: (await import("../routes/join.tsx")).Join })),
  "cli-authorize": lazy(async () => ({
    default: (await import("../routes/cli-authorize.tsx")).CliAuthorize,
  })),
  "cli-done": lazy(async () => ({ default: (await import("../routes/cli-done.tsx")).CliDone })),
  connect: lazy(async () => ({ default: (await import("../routes/connect.tsx")).Connect })),
  "connect-request": lazy(async () => ({
    default: (await import("../routes/connect-request.tsx")).ConnectRequest,
  })),
};

export function BareRouter({ token }: { token: string | null }) {
  // The service sends this document for these paths alone; sign-in is the harmless place for anything else.
  const id = (matchPage(location.pathname)?.page.id ?? "login") as BarePageId;
  const Component = components[id] ?? components.login;
  const { data, failure, again } = useLoad((signal) => app.getBootstrap({}, { signal }));
  if (failure) {
    return (
      <Entrance page={id}>
        <FailureView failure={failure} what="the page" onRetry={again} />
      </Entrance>
    );
  }
  const waiting = (
    <Entrance page={id}>
      <Loading what="the page">
        <div className="grid gap-4">
          <Skeleton className="h-8" />
          <Skeleton className="h-8" />
          <Skeleton className="h-8 w-32" />
        </div>
      </Loading>
    </Entrance>
  );
  if (!data) return waiting;
  return (
    <Suspense fallback={waiting}>
      <Component bootstrap={data} token={token} />
    </Suspense>
  );
}
