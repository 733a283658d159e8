/** @module Every check that follows a clean flow. */
import { grantChecks } from "./grant-checks.ts";
import { metadataChecks } from "./metadata-checks.ts";
import type { OauthCheck } from "./oauth-check.ts";
import { serverChecks } from "./server-checks.ts";

export const oauthChecks: readonly OauthCheck[] = [...serverChecks, ...grantChecks, ...metadataChecks];
