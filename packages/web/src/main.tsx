/** @module Starts the workspace. */
import { queryClient } from "./api/operation.ts";
import "./styles/base.css";
import { must } from "@fettle/contract/formats";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { watchSession } from "./api/session.ts";
import { router } from "./app/router.tsx";
import { isLocal } from "./lib/local.ts";
import { loadPreferences } from "./lib/preferences.ts";

loadPreferences();
watchSession();
// On somebody's own machine a page is let in by a code from the terminal; without one it says so, and nothing more happens.
if (isLocal) await (await import("./local/enter.ts")).enter();

// The document shows the empty frame meanwhile; rendering earlier would only replace it with nothing.
await router.load();

createRoot(must(document.getElementById("root"), "a place for the pages")).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
