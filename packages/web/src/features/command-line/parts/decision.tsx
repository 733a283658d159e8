/** @module What the command line asks for, and the three answers. Approving takes a real click and never has the focus first. */
import type { CliAuthorization, SignedInUser } from "@fettle/contract/people";
import { SquareTerminal } from "lucide-react";
import type { MouseEvent } from "react";
import { endSession } from "../../../api/sign-in.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { clockOf } from "../../../lib/time.ts";
import { loopbackUrl } from "../../../lib/urls.ts";
import { Button } from "../../../ui/button.tsx";
import { Fact, FactList } from "../../../ui/fact-list.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { approve, deny } from "../queries.ts";

export interface DecisionProps {
  asked: CliAuthorization;
  user: SignedInUser;
  /** The browser goes where the command line listens. */
  onAnswered: (address: URL) => void;
  onLeft: () => void;
}

export function Decision({ asked, user, onAnswered, onLeft }: DecisionProps) {
  const target = loopbackUrl(asked.redirectUri);
  const answered = ({ redirectUrl }: { redirectUrl: string }) => {
    const address = loopbackUrl(redirectUrl);
    if (address) onAnswered(address);
  };
  const yes = useAction(approve, answered);
  const no = useAction(deny, answered);
  const leave = useAction(endSession, onLeft);
  if (!target) {
    return (
      <Notice kind="bad" role="alert" title="Refused">
        The answer would leave this computer. A command line is answered only at its loopback address.
      </Notice>
    );
  }
  const busy = yes.busy || no.busy || leave.busy;
  return (
    <>
      <FactList>
        <Fact name="Asks">
          <span className="inline-flex items-center gap-1.5">
            <SquareTerminal aria-hidden="true" className="size-4 text-faint" />
            {asked.deviceName ?? "A command line without a name"}
          </span>
        </Fact>
        <Fact name="Answer goes to">
          <code className="text-code">{target.host}</code>
        </Fact>
        <Fact name="Acts as">{user.email}</Fact>
        <Fact name="May do">
          Everything you can do, except manage API keys. Ends when you sign it out under Devices.
        </Fact>
        <Fact name="Asked until">{clockOf(asked.expiresAt)}</Fact>
      </FactList>
      <FormFailure failure={yes.failure ?? no.failure ?? leave.failure} />
      <div className="grid gap-2">
        <div className="grid grid-cols-2 gap-2">
          <Button disabled={busy} busy={no.busy} onClick={() => no.run(asked.id)}>
            Deny
          </Button>
          <Button
            look="primary"
            disabled={busy && !yes.busy}
            busy={yes.busy}
            onClick={(event: MouseEvent) => event.isTrusted && yes.run(asked.id)}
          >
            Approve
          </Button>
        </div>
        <Button look="quiet" disabled={busy} busy={leave.busy} onClick={() => leave.run()}>
          Use another account
        </Button>
      </div>
    </>
  );
}
