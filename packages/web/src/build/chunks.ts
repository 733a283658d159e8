/** @module Which modules travel together: what both documents need, and what only the workspace shares. */

/** Parts of our own that the bare pages use too. None of them may import Radix, the router or the query cache. */
const coreParts = [
  "ui/(button|checkbox|choice|copy-button|fact-list|field|form|icon-button|input|logo|notice|select|skeleton|spinner|textarea|time)",
  "kit/(failure-view|form-failure|loading|open-requests|other-account|password-field|provider-buttons|server-answer|sign-in-form|state-view|submit-button|use-action|use-link-state|use-load|visible-text)",
  "api/(client|connections|failure|live-stream|local|session|sign-in)",
  "app/only-view",
  // But for what only pages of the workspace use.
  "lib/(?!(?:bytes|command-line|download|paced)\\.)[\\w-]+",
  "styles",
];

const own = new RegExp(`/packages/(contract|web/src/(${coreParts.join("|")}))[./]`);
const libraries = /\/node_modules\/(react|react-dom|scheduler)\//;
/** What fetches a chunk that is loaded late: both documents do. */
const fetching = /vite\/preload-helper/;
/** Icons come along with what draws them; these are drawn by a bare page and by a page of the workspace. */
const icons = /\/lucide-react\/.*\/icons\/(square-terminal|x)\./;

/** The list of pages changes with each of them: apart from what changes rarely, which browsers keep. */
export const isPages = (id: string) =>
  /\/packages\/web\/src\/pages\/(pages|page|entries|entrance)[./]/.test(id);

export function isCore(id: string): boolean {
  return (
    !isPages(id) &&
    (own.test(id) || libraries.test(id) || fetching.test(id) || icons.test(id)) &&
    !areas.some(({ test }) => test(id))
  );
}

/** What several pages of one kind use and the others do not: it stays out of the workspace everyone loads. */
const partsOfAreas: Record<string, readonly string[]> = {
  // In this order, because an area takes along what it imports unless an earlier one has it.
  lists: [
    "web/src/pages/(page-list|row-link)",
    "web/src/kit/(list/(columns|data-table|person|row-menu)|changed|show-once-dialog|use-window|json-view/json-view)",
    "web/src/ui/table",
  ],
  streams: ["web/src/api/told-stream"],
  chat: [
    "web/src/kit/chat",
    "web/src/api/chat-stream",
    "lucide-react/.*/icons/(brain|circle-stop|hammer|send-horizontal)",
  ],
  findings: ["web/src/features/findings"],
  testing: ["web/src/features/user-testing"],
  visits: ["contract/src/visitors/user-testing/words"],
  values: ["web/src/lib/json-exact"],
  contents: ["web/src/kit/content-view"],
  texts: ["web/src/kit/(markdown|use-settled)"],
  forms: ["web/src/kit/(schema-form|check-schema|not-checked-parts)", "contract/src/servers/schema"],
  history: ["web/src/kit/history"],
  walks: ["web/src/features/sign-in-steps"],
  past: ["web/src/features/history", "contract/src/servers/history/(limits|words)"],
  edits: ["web/src/kit/(conflict/(draft-editor|three-way)|use-draft|use-leave-guard)", "web/src/lib/drafts"],
  yaml: ["web/src/kit/yaml-text"],
  diffs: ["web/src/kit/(conflict/conflict-sheet|json-diff)"],
  commands: ["contract/generated/operation-commands", "contract/src/formats/shell-word"],
  configs: ["contract/src/(servers/config|secrets/redact)"],
  wire: [
    "web/src/api/(completions|declared|listed-tools|server-asks|server-calls|server-changes|server-questions|traffic|widget-server)",
  ],
  // Asked by whatever lists servers.
  sandboxes: ["web/src/api/server-image"],
  saving: ["web/src/features/servers/(server-draft|parts/(server-fields|delete-server-dialog))"],
  servers: [
    "web/src/kit/(pick-list|list-remarks|panes|use-list-changes)",
    "web/src/features/servers",
    "web/src/features/(tools|resources|prompts)/(queries|resource-name|tool-calls|tool-hints)",
    "contract/src/servers/dropped-credentials",
    "web/src/routes/frames/server-frame",
    "contract/src/formats/(har|uri-template)",
  ],
  // Fetched when there is something to fill in, to answer or to look at.
  benches: [
    "web/src/features/(tools|resources|prompts)/parts/(tool-runner|prompt-panes|read-panes|template-panes|contents)",
    "web/src/features/resources/use-reading",
  ],
  // What changes with what: only pages that keep answers ask.
  parts: ["contract/src/core/project-parts"],
  models: ["web/src/kit/model-select"],
  amounts: ["web/src/lib/amounts"],
  checks: ["web/src/kit/checks"],
  recorded: ["web/src/kit/recorded"],
  questions: ["web/src/kit/server-questions"],
  // What visitors load of it, before what the others examine one with.
  stage: [
    "web/src/kit/widget/(approvals|bridge|emulation|gate|widget-(host|link|requests|stage|state))",
    "lucide-react/.*/icons/(maximize-2|minimize-2|picture-in-picture-2)",
  ],
  widgets: ["web/src/kit/widget"],
  messages: ["web/src/features/traffic"],
  bundles: [
    "web/src/features/(plugins|server-groups|skills)",
    "web/src/kit/bundle-picker",
    "web/src/lib/(base64|bundle|zip)",
    "contract/src/formats/zip",
  ],
  images: ["web/src/features/images", "contract/src/sandboxes/words"],
  clients: [
    "contract/generated/client-config-schema",
    "web/src/features/clients",
    "web/src/routes/frames/client-frame",
  ],
  tunnels: ["web/src/features/tunnels"],
  registry: ["web/src/features/registry", "contract/src/servers/registry/words"],
  conformance: ["web/src/features/conformance", "contract/src/servers/conformance/words"],
  readiness: ["web/src/features/readiness", "contract/src/servers/readiness/words"],
  // What the home of a project shows of runs: the rest is for those who look at them.
  "eval-states": ["web/src/features/evals/(run-words|parts/run-chip)"],
  evals: [
    "web/src/features/evals/(?!editor/)[^/]+(/[^/]+)?",
    "web/src/routes/frames/suite-frame",
    "contract/src/evals/words",
  ],
  suites: ["web/src/features/evals/editor"],
  // Fetched by whoever writes a persona, a journey or a swarm; before those that only look.
  "swarm-editing": [
    "web/src/features/swarms/(values|drafts|parts/(values-editor|create-dialogs|draft-from-server|persona-fields|journey-fields|swarm-fields|budget-fields|rubric-fields))",
    "contract/src/visitors/swarms/limits",
  ],
  // What only its own page shows: others look at swarms too.
  calibrating: ["web/src/features/swarms/parts/(calibration-view|calibrate-dialog)"],
  // The project's home tells how runs went, and nothing else of swarms.
  "run-words": ["web/src/features/swarms/(run-words|parts/run-chip)"],
  swarms: ["web/src/features/swarms", "web/src/routes/frames/(swarm|journey)-frame"],
  playground: ["web/src/features/playground"],
  notices: ["web/src/features/notices", "contract/src/notices"],
  audit: ["web/src/features/audit"],
  schedules: ["web/src/kit/schedule"],
  environments: ["web/src/features/environments", "web/src/routes/frames/environment-frame"],
};

export const areas = Object.entries(partsOfAreas).map(([name, parts]) => {
  const shape = new RegExp(`/(?:packages|node_modules)/(${parts.join("|")})[./]`);
  return { name, test: (id: string) => shape.test(id) };
});

/** What only bare pages use, also when two of them do. */
const bare =
  /\/packages\/web\/src\/features\/(connections|join|setup|command-line|forgotten-password|visit)\//;

export function isShared(id: string): boolean {
  const isOurs = /\/node_modules\/|\/packages\/web\/src\//.test(id);
  return isOurs && !isCore(id) && !isPages(id) && !bare.test(id) && !areas.some(({ test }) => test(id));
}
