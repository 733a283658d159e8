/** @module The bare pages. Small enough to need no router: each is reached by loading it. */
import type { Bootstrap } from "@fettle/contract";
import { type ComponentType, lazy, Suspense } from "react";
import { service } from "../api/client.ts";
import { FailureView } from "../kit/failure-view.tsx";
import { Loading } from "../kit/loading.tsx";
import { useLoad } from "../kit/use-load.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { type BarePageId, isBare, matchPage, pages } from "./pages.ts";
import { Entrance } from "./shells/entrance.tsx";

export interface BarePageProps {
  bootstrap: Bootstrap;
  /** The secret of the link that led here, already out of the address bar. */
  token: string | null;
}

const components = new Map(
  pages.filter(isBare).map(({ id, view: { load, component } }) => [
    id,
    lazy(async () => ({
      // The declaration knows the component's name, not its type, so as not to depend on what depends on it.
      default: ((await load()) as Record<string, ComponentType<BarePageProps>>)[component]!,
    })),
  ]),
);

export function BareRouter({ token }: { token: string | null }) {
  // The service sends this document for these paths alone; sign-in is the harmless place for anything else.
  const found = matchPage(location.pathname)?.page;
  const id = (found && isBare(found) ? found.id : "login") as BarePageId;
  const Component = components.get(id)!;
  const { data, failure, again } = useLoad((signal) => service.getBootstrap({}, { signal }));
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
