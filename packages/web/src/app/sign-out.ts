/** @module Ends this browser's session and leaves for the sign-in page. */
import { failureOf } from "../api/failure.ts";
import { endSession } from "../api/sign-in.ts";
import { forgetForTab } from "../lib/storage.ts";
import { pagePath } from "../pages/pages.ts";
import { toast } from "../ui/toast.tsx";

export async function signOut(): Promise<void> {
  try {
    await endSession();
  } catch (error) {
    const failure = failureOf(error);
    // Already signed out elsewhere: the wish is granted.
    if (failure.code !== "UNAUTHORIZED") {
      toast(`Still signed in: ${failure.message}`, "bad");
      return;
    }
  }
  forgetForTab();
  // A full load, so that nothing of this person stays in memory.
  location.assign(pagePath("login", {}));
}
