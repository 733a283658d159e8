/** @module Which modules travel together: what both documents need, and what only the workspace shares. */

/** Parts of our own that the bare pages use too. None of them may import Radix, the router or the query cache. */
const coreParts = [
  "ui/(button|checkbox|copy-button|field|form|icon-button|input|logo|notice|skeleton|spinner)",
  "kit/(failure-view|form-failure|loading|password-field|provider-buttons|sign-in-form|state-view|submit-button|use-action|use-link-state|use-load)",
  "app/pages",
  "api/(client|failure|session|sign-in)",
  "lib",
  "styles",
];

const own = new RegExp(`/packages/(contract|web/src/(${coreParts.join("|")}))[./]`);
const libraries = /\/node_modules\/(react|react-dom|scheduler|lucide-react)\//;

export function isCore(id: string): boolean {
  return own.test(id) || libraries.test(id);
}

export function isShared(id: string): boolean {
  return /\/node_modules\/|\/packages\/web\/src\//.test(id) && !isCore(id);
}
