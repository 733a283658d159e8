/** @module `/cli/done`: the command line has its answer. */
import { CircleCheck, CircleSlash } from "lucide-react";
import { Entrance } from "../../pages/entrance.tsx";
import { pagePath } from "../../pages/pages.ts";

export function CliDone() {
  const denied = new URLSearchParams(location.search).get("answer") === "denied";
  const Icon = denied ? CircleSlash : CircleCheck;
  return (
    <Entrance
      page="cli-done"
      title={denied ? "Turned away" : "You can return to the terminal"}
      about={
        denied
          ? "The command line was not signed in."
          : "The command line is signed in as you. This tab can be closed."
      }
      below={
        <>
          Every signed-in command line is listed under{" "}
          <a href={pagePath("account-devices", {})} className="text-accent-text underline underline-offset-2">
            Devices
          </a>
          , where you can sign it out.
        </>
      }
    >
      <p className="flex items-start gap-2.5 text-base text-soft">
        <Icon
          aria-hidden="true"
          className={denied ? "mt-0.5 size-5 text-faint" : "mt-0.5 size-5 text-good-mark"}
        />
        {denied
          ? "Run it again whenever you like."
          : "If the terminal still waits, run fettle cloud login again."}
      </p>
    </Entrance>
  );
}
