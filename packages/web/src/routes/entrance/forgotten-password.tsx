/** @module `/forgotten-password`: asks for a letter with a link to choose a new one. */
import { useState } from "react";
import { AskForm } from "../../features/forgotten-password/parts/ask-form.tsx";
import type { BarePageProps } from "../../pages/entrance.tsx";
import { Entrance } from "../../pages/entrance.tsx";
import { pagePath } from "../../pages/pages.ts";

const back = (
  <a href={pagePath("login", {})} className="text-accent-text underline underline-offset-2">
    Back to sign-in
  </a>
);

export function ForgottenPassword({ bootstrap }: BarePageProps) {
  const [asked, setAsked] = useState(false);
  if (!bootstrap.signIn.passwordLetters) {
    return (
      <Entrance
        page="forgotten-password"
        about="This deployment sends no letters. Whoever runs it can print a sign-in link for you: fettle admin sign-in-link --forget-password."
        below={back}
      />
    );
  }
  if (asked) {
    return (
      <Entrance
        page="forgotten-password"
        title="Look into your mailbox"
        about="If this address has an account with a password, a letter is on its way. Its link works once, for an hour."
        below={back}
      />
    );
  }
  return (
    <Entrance
      page="forgotten-password"
      about="We send a link to the address of your account, with which you choose a new one."
      below={back}
    >
      <AskForm onDone={() => setAsked(true)} />
    </Entrance>
  );
}
