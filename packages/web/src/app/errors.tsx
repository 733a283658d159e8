/** @module The pages of last resort: nothing at this address, and a page that broke. */

import { ApiError } from "@fettle/contract/core";
import { Link, useRouter } from "@tanstack/react-router";
import { CircleAlert, SearchX } from "lucide-react";
import { FailureView } from "../kit/failure-view.tsx";
import { StateView } from "../kit/state-view.tsx";
import { TopBar } from "../pages/top-bar.tsx";
import { Button, buttonClass } from "../ui/button.tsx";

export function NotFound() {
  return (
    <>
      <TopBar />
      <div className="mx-auto max-w-2xl px-6 py-16">
        <StateView
          state="gone"
          heading="h1"
          icon={<SearchX aria-hidden="true" className="size-5" />}
          title="There is no such page"
          actions={
            <Link to="/" className={buttonClass("primary")}>
              Go to the start
            </Link>
          }
        >
          The address may be mistyped, or what it showed was deleted.
        </StateView>
      </div>
    </>
  );
}

export function PageBroke({ error }: { error: unknown }) {
  const router = useRouter();
  const retry = () => void router.invalidate();
  return (
    <div className="mx-auto max-w-2xl px-6 py-16">
      {error instanceof ApiError ? (
        <FailureView failure={error} what="this page" onRetry={retry} heading="h1" />
      ) : (
        <StateView
          state="error"
          heading="h1"
          icon={<CircleAlert aria-hidden="true" className="size-5" />}
          title="This page broke"
          actions={
            <>
              <Button look="primary" onClick={() => location.reload()}>
                Reload
              </Button>
              <Link to="/" className={buttonClass()}>
                Go to the start
              </Link>
            </>
          }
        >
          The fault is ours, not yours. Nothing was changed by it.
        </StateView>
      )}
    </div>
  );
}
