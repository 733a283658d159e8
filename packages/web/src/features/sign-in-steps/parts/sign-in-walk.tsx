/** @module Signing in to a server step by step: where it stands, what comes next, and every stage with its evidence. */
import type { ProjectServer, ServerSignIn } from "@fettle/contract/servers";
import { ExternalLink, Play, RotateCcw, StepForward } from "lucide-react";
import { type MouseEvent, useEffect } from "react";
import { noteServerState } from "../../../api/server-calls.ts";
import { Blocked } from "../../../kit/blocked.tsx";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { useWriteBlock } from "../../../kit/use-link-state.ts";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { webUrl } from "../../../lib/urls.ts";
import { Button } from "../../../ui/button.tsx";
import { Chip } from "../../../ui/chip.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import { currentStage, hostOf, stateWords } from "../walk-words.ts";
import { StageView } from "./stage-view.tsx";

export interface SignInWalkProps {
  server: ProjectServer;
  signIn: ServerSignIn | null;
  /** The browser goes to the authorization server, and comes back here. */
  onLeave: (address: URL) => void;
}

export function SignInWalk({ server, signIn, onLeave }: SignInWalkProps) {
  const { projectId, id: serverId } = server;
  const offline = useWriteBlock();
  const walk = useChange("walkServerSignIn");
  const go = (run: "stage" | "all", revision: number | null) =>
    walk.run({ projectId, serverId, body: { revision, run } });
  const isSignedIn = signIn?.state === "signed_in";
  useEffect(() => {
    if (isSignedIn) noteServerState(serverId, { state: "connected", at: Date.now() });
  }, [isSignedIn, serverId]);
  const goesOn = signIn && (signIn.state === "open" || signIn.state === "failed") ? signIn : undefined;
  const next = signIn && currentStage(signIn);
  return (
    <>
      <Panel
        title="Sign in step by step"
        about={
          signIn ? (
            <>
              {next && goesOn ? `Next: ${next.title}. ` : ""}
              Last step <Time at={signIn.at} />.
            </>
          ) : (
            "Walk through the server's OAuth, see each request and answer, and which rule it keeps or breaks."
          )
        }
        aside={
          signIn && (
            <span data-testid="sign-in-state" data-state={signIn.state}>
              <Chip tone={stateWords[signIn.state].tone}>{stateWords[signIn.state].word}</Chip>
            </span>
          )
        }
      >
        <div className="stack gap-4">
          {signIn && <Standing signIn={signIn} onLeave={onLeave} />}
          <FormFailure failure={walk.failure} />
          <div className="flex flex-wrap gap-2">
            {goesOn ? (
              <>
                <Blocked reason={offline}>
                  <Button
                    look="primary"
                    busy={walk.busy}
                    icon={<StepForward aria-hidden="true" className="size-4" />}
                    onClick={() => go("stage", goesOn.revision)}
                  >
                    {goesOn.state === "failed" ? "Try again from here" : "Next step"}
                  </Button>
                </Blocked>
                <Blocked reason={offline}>
                  <Button
                    busy={walk.busy}
                    icon={<Play aria-hidden="true" className="size-4" />}
                    onClick={() => go("all", goesOn.revision)}
                  >
                    Run to the end
                  </Button>
                </Blocked>
                <Blocked reason={offline}>
                  <Button
                    busy={walk.busy}
                    icon={<RotateCcw aria-hidden="true" className="size-4" />}
                    onClick={() => go("stage", null)}
                  >
                    Begin anew
                  </Button>
                </Blocked>
              </>
            ) : (
              <>
                <Blocked reason={offline}>
                  <Button
                    look={signIn ? "secondary" : "primary"}
                    busy={walk.busy}
                    icon={<StepForward aria-hidden="true" className="size-4" />}
                    onClick={() => go("stage", null)}
                  >
                    {signIn ? "Begin anew" : "First step"}
                  </Button>
                </Blocked>
                {signIn?.state !== "awaiting_person" && (
                  <Blocked reason={offline}>
                    <Button
                      busy={walk.busy}
                      icon={<Play aria-hidden="true" className="size-4" />}
                      onClick={() => go("all", null)}
                    >
                      Run to the end
                    </Button>
                  </Blocked>
                )}
              </>
            )}
          </div>
        </div>
      </Panel>
      {signIn && (
        <ol aria-label="Steps of the sign-in" className="stack gap-3">
          {signIn.stages.map((stage, at) => (
            <StageView key={stage.id} stage={stage} number={at + 1} isCurrent={stage === next} />
          ))}
        </ol>
      )}
    </>
  );
}

function Standing({ signIn, onLeave }: { signIn: ServerSignIn; onLeave: SignInWalkProps["onLeave"] }) {
  const { state, issuer, authorizationUrl, claimsClientSecret, failure, scopes } = signIn;
  const host = hostOf(issuer ?? "");
  const address = authorizationUrl === null ? undefined : webUrl(authorizationUrl);
  return (
    <>
      {state === "failed" && failure && (
        <Notice kind="bad" role="status" title="It broke off">
          <VisibleText text={failure.message} />
          {failure.hint && (
            <p className="mt-1 text-soft">
              <VisibleText text={failure.hint} />
            </p>
          )}
        </Notice>
      )}
      {claimsClientSecret && (
        <Notice kind="warn" title={`The client secret goes to ${host}`}>
          It was saved with this server and has not been used yet. By going on you say that it belongs to{" "}
          {host}, and it is sent to nobody else from then on.
        </Notice>
      )}
      {state === "awaiting_person" && (
        <Notice kind="info" title={`You are asked at ${host}`}>
          <p className="mb-2.5">
            {scopes.length > 0 ? (
              <>
                Fettle asks for{" "}
                <code className="break-all text-code">
                  <VisibleText text={scopes.join(" ")} />
                </code>
                . You come straight back here.
              </>
            ) : (
              "Nothing in particular is asked for. You come straight back here."
            )}
          </p>
          {address ? (
            <Button
              look="primary"
              icon={<ExternalLink aria-hidden="true" className="size-4" />}
              onClick={(event: MouseEvent) => event.isTrusted && onLeave(address)}
            >
              Go to {host}
            </Button>
          ) : (
            <p className="text-bad">
              Its address is neither encrypted nor on this machine, and is not opened.
            </p>
          )}
        </Notice>
      )}
      {state === "signed_in" && (
        <Notice kind="good" role="status" title="You are signed in">
          The server took the token. Its pages use it from now on; nobody else does.
        </Notice>
      )}
      {state === "expired" && (
        <Notice kind="warn">
          It was open for one hour. What it had found stays below; begin anew to go on.
        </Notice>
      )}
    </>
  );
}
