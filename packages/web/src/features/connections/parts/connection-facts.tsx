/** @module What somebody is asked to agree to: which server, where, for which project, and who asked. */
import type { ConnectionConsent } from "@fettle/contract/servers";
import { clockOf } from "../../../lib/time.ts";
import { Fact, FactList } from "../../../ui/fact-list.tsx";
import { Time } from "../../../ui/time.tsx";
import { hostOf, isEnded } from "../request-words.ts";

export function ConnectionFacts({ consent, account }: { consent: ConnectionConsent; account: string }) {
  const { status, server, project, askedBy, createdAt, expiresAt, authorization } = consent;
  return (
    <FactList>
      {server?.name && <Fact name="Server">{server.name}</Fact>}
      {server && (
        <>
          <Fact name="Host">
            <strong className="font-semibold">{hostOf(server.url)}</strong>
          </Fact>
          <Fact name="Address">
            <code className="break-all text-code">{server.url}</code>
          </Fact>
        </>
      )}
      {authorization && (
        <Fact name="You sign in at">
          <strong className="font-semibold">{hostOf(authorization.issuer)}</strong>
        </Fact>
      )}
      {project && <Fact name="Goes into">{project.name}</Fact>}
      <Fact name="Asked by">
        {account}
        {askedBy.keyOrganization && `, with an API key of ${askedBy.keyOrganization.name}`},{" "}
        <Time at={createdAt} />
      </Fact>
      {!isEnded(status) && <Fact name="Open until">{clockOf(Date.parse(expiresAt))}</Fact>}
    </FactList>
  );
}
