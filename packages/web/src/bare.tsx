/** @module Starts the small pages for people who are not signed in. */
import "./styles/base.css";
import { must } from "@fettle/contract/formats";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BareRouter } from "./app/bare-router.tsx";
import { loadPreferences } from "./lib/preferences.ts";
import { takeFragment } from "./lib/urls.ts";

// Before anything renders: a secret must not stay in the address bar, where it would be shared or bookmarked.
const token = takeFragment("token");
loadPreferences();

createRoot(must(document.getElementById("root"), "a place for the page")).render(
  <StrictMode>
    <BareRouter token={token} />
  </StrictMode>,
);
