import { must } from "@fettle/contract/formats";
import { type ComponentType, lazy, Suspense } from "react";
import { service } from "../api/client.ts";
import { FailureView } from "../kit/failure-view.tsx";
import { Loading } from "../kit/loading.tsx";
import { useLoad } from "../kit/use-load.ts";
import { type BarePageProps, Entrance } from "../pages/entrance.tsx";
import { type BarePageId, isBare, matchPage, pages } from "../pages/pages.ts";
import { Skeleton } from "../ui/skeleton.tsx";
import { onlyView } from "./only-view.ts";

/** Modules that export a view and nothing else, each named by its page. */
const views = import.meta.glob<Record<string, ComponentType<BarePageProps>>>("../routes/entrance/*.tsx");

const components = new Map(
  pages.filter(isBare).map(({ id }) => [id, lazy(() => onlyView(views[`../routes/entrance/${id}.tsx`]))]),
);

export function BareRouter({ token }: { token: string | null }) {
  // The service sends this document for these paths alone; sign-in is the harmless place for anything else.
  const found = matchPage(location.pathname)?.page;
  const id = (found && isBare(found) ? found.id : "login") as BarePageId;
  const Component = must(components.get(id), "a view for each small page");
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
