/** @module The session ended while a page was open: sign in over it, and go on where it was, drafts and all. */
import { addressPart } from "@fettle/contract/formats";
import { useSyncExternalStore } from "react";
import { bootstrapQuery, queryClient } from "../../api/operation.ts";
import { sessionEnded } from "../../api/session.ts";
import { signIn } from "../../api/sign-in.ts";
import { ProviderButtons } from "../../kit/provider-buttons.tsx";
import { SignInForm } from "../../kit/sign-in-form.tsx";
import { useBootstrap } from "../../pages/page-context.tsx";
import { pagePath } from "../../pages/pages.ts";
import { Dialog } from "../../ui/dialog.tsx";

export function SessionEnded() {
  const ended = useSyncExternalStore(sessionEnded.subscribe, sessionEnded.get);
  const { user, signIn: ways } = useBootstrap();
  const here = location.pathname + location.search;
  const goOn = async () => {
    const before = user.id;
    const now = await queryClient.fetchQuery({ ...bootstrapQuery, staleTime: 0 });
    // Someone else signed in: nothing of the first person may stay on screen.
    if (now.user?.id !== before) location.assign("/");
    sessionEnded.set(false);
    await queryClient.invalidateQueries();
  };
  return (
    <Dialog
      open={ended}
      onClose={() => {}}
      held
      title="Your session ended"
      description="Sign in to go on where you were. What you typed is still here."
    >
      <div data-testid="state" data-state="session-ended" className="stack gap-4">
        {ways.password && <SignInForm email={user.email} onSignIn={signIn} onDone={() => void goOn()} />}
        <ProviderButtons providers={ways.oidc} returnTo={here} second={ways.password} />
        {/* A letter, or a sign-in link, begins there. */}
        <a
          href={`${pagePath("login", {})}?return=${addressPart(here)}`}
          className="text-accent-text text-sm underline"
        >
          Other ways to sign in
        </a>
      </div>
    </Dialog>
  );
}
