/** @module `/new-password#token=…`: reached from the letter about a forgotten password. */
import { ChooseForm } from "../../features/forgotten-password/parts/choose-form.tsx";
import type { BarePageProps } from "../../pages/entrance.tsx";
import { Entrance } from "../../pages/entrance.tsx";
import { pagePath } from "../../pages/pages.ts";

export function NewPassword({ token }: BarePageProps) {
  if (token === null) {
    return (
      <Entrance
        page="new-password"
        about="Open the whole link of the letter; its last part, after #, is missing here."
      />
    );
  }
  return (
    <Entrance
      page="new-password"
      about="Everything that is signed in as you is signed out, and you are signed in here."
      below={
        <a
          href={pagePath("forgotten-password", {})}
          className="text-accent-text underline underline-offset-2"
        >
          Ask for another letter
        </a>
      }
    >
      <ChooseForm token={token} onDone={() => location.replace("/")} />
    </Entrance>
  );
}
