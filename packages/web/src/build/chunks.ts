/** @module Which modules travel together: what both documents need, and what only the workspace shares. */

/** Parts of our own that the bare pages use too. None of them may import Radix, the router or the query cache. */
const coreParts = [
  "ui/(button|checkbox|choice|copy-button|fact-list|field|form|icon-button|input|logo|notice|select|skeleton|spinner|time)",
  "kit/(failure-view|form-failure|loading|open-requests|other-account|password-field|provider-buttons|sign-in-form|state-view|submit-button|use-action|use-link-state|use-load|visible-text)",
  "app/(pages|shells/entrance)",
  "api/(client|connections|failure|session|sign-in)",
  "lib",
  "styles",
];

const own = new RegExp(`/packages/(contract|web/src/(${coreParts.join("|")}))[./]`);
const libraries = /\/node_modules\/(react|react-dom|scheduler|lucide-react)\//;

export function isCore(id: string): boolean {
  return (own.test(id) || libraries.test(id)) && !isServers(id);
}

/** What several server pages use and no other page does: it stays out of the workspace everyone loads. */
const serverParts = [
  "kit/(json-view|schema-form|content-view|use-window|pick-list|list-remarks|check-schema)",
  "features/(servers|tools|resources|prompts|traffic)",
  "api/(server-calls|traffic)",
  "routes/server-frame",
  "lib/(json-exact|uri-template|bytes)",
];
const servers = new RegExp(`/packages/web/src/(${serverParts.join("|")})[./]`);

export function isServers(id: string): boolean {
  return servers.test(id);
}

/** What only bare pages use, also when two of them do. */
const bare = /\/packages\/web\/src\/features\/(connections|join|setup|command-line)\//;

export function isShared(id: string): boolean {
  const isOurs = /\/node_modules\/|\/packages\/web\/src\//.test(id);
  return isOurs && !isCore(id) && !isServers(id) && !bare.test(id);
}
