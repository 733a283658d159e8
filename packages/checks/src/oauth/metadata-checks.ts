/** @module The documents: served as JSON, readable by web clients, true about their issuer. */
import { failed, notApplicable, passed } from "../verdict/check-result.ts";
import { needsConsent, type OauthCheck, rfc, sinceResources } from "./oauth-check.ts";

export const metadataChecks: OauthCheck[] = [
  {
    id: "oauth_metadata_json",
    title: "Metadata is served as JSON, to web clients too",
    description: "Each document is application/json; browsers of other origins may read it.",
    category: "metadata",
    rules: [rfc("MUST", 8414, "3.2")],
    needs: ["documents"],
    judge: ({ documents }) => {
      if (documents.length === 0) return notApplicable("No metadata document was used.");
      const wrong = documents.find(({ contentType }) => contentType !== "application/json");
      if (wrong) {
        const { url, contentType } = wrong;
        return failed(`${url} is served as "${contentType}", not as application/json.`, { url, contentType });
      }
      const closed = documents.filter(({ allowsOrigin }) => allowsOrigin === undefined);
      return closed.length === 0
        ? passed({ documents: documents.map(({ url }) => url) })
        : {
            is: "passed",
            warnings: closed.map(({ url }) => ({
              word: "inferred" as const,
              message: `${url} cannot be read by web clients: it has no CORS header.`,
            })),
          };
    },
  },
  {
    id: "oauth_metadata_issuer",
    title: "The metadata names the issuer it was found by",
    description: "Both are the same, character by character. Advice in 2025-03-26.",
    category: "metadata",
    rules: [rfc("inferred", 8414, "3.3", ["2025-03-26"]), rfc("MUST", 8414, "3.3", sinceResources)],
    needs: [],
    judge: (_seen, { server, issuer, version }) => {
      const named = server.issuer;
      if (named === issuer) return passed({ issuer });
      const fault = `The metadata of ${issuer} names ${named === undefined ? "no issuer" : String(named)}.`;
      return failed(
        version === "2025-03-26" ? `${fault} 2025-03-26 takes the server's origin for it.` : fault,
      );
    },
  },
  {
    id: "oauth_iss_when_advertised",
    title: "The answer names its issuer, where that is promised",
    description: "authorization_response_iss_parameter_supported means that iss comes with every answer.",
    category: "metadata",
    rules: [rfc("MUST", 9207, "2.3")],
    unless: needsConsent,
    needs: [],
    judge: (_seen, { server, iss }) => {
      if (server.authorization_response_iss_parameter_supported !== true) {
        return notApplicable("The authorization server does not promise it.");
      }
      if (iss === undefined) return failed("iss is promised, and did not come.");
      return iss === server.issuer
        ? passed({ iss })
        : failed(`iss is ${iss}, and the metadata's issuer is ${String(server.issuer)}.`);
    },
  },
];
