/** @module Which rules there are, in which lane and how much they weigh: a rule that moves changes everyone's grade, so it moves here too. */
import { redact } from "@fettle/contract/secrets";
import type { ReadinessKind } from "@fettle/contract/servers";
import { expect, test } from "vitest";
import { isDeciding } from "./algebra.ts";
import { directories } from "./grade.ts";

/** By publisher, lane and class, without the publisher's name. */
const catalogue: Record<ReadinessKind, Record<string, Record<string, string>>> = {
  claude: {
    "runtime-compatibility": {
      "runtime-blocker":
        "endpoint.https endpoint.redirects-stay-https endpoint.redirects-terminate auth.unauthenticated-challenge auth.challenge-names-resource-metadata auth.prm-discoverable auth.prm-resource-matches-entered-url auth.first-authorization-server-usable apps.openai-only-widget",
      required:
        "auth.rfc8707-resource-canonical auth.pkce-s256-advertised auth.cimd-flag-consistent auth.client-acquisition-path auth.insufficient-scope-challenge-shape apps.resource-uri-modern apps.html-mime-profile apps.ui-domain-derivation intrusive.dynamic-registration intrusive.refresh-rotation intrusive.step-up-challenge",
      recommended: "auth.no-challenge-on-successful-operation",
    },
    "directory-policy": {
      required:
        "tools.name-length tools.title-present tools.behavior-hints-present tools.behavior-hints-consistent tools.no-catch-all-read-write",
    },
    "optional-features": {
      "experimental-feature": "features.lazy-authentication features.enterprise-managed-auth",
    },
    "submission-artifacts": {
      required:
        "submission.listing-fields submission.urls submission.screenshots submission.screenshot-prompts submission.attestations submission.declared-auth-mode",
      "manual-review": "submission.artifact-quality",
    },
    "experience-insights": {
      recommended:
        "tools.free-string-operation-parameter apps.ui-domain-recommended-for-app-oauth apps.csp-shape",
      "manual-review": "auth.access-token-audience apps.result-size-budget",
      heuristic:
        "apps.instance-supersession apps.design.narrow-viewport apps.design.touch-target apps.design.safe-area apps.design.theme apps.design.transparent-background apps.design.own-scroll-container apps.design.accessibility apps.design.display-mode",
    },
  },
  openai: {
    "runtime-compatibility": {
      "runtime-blocker":
        "endpoint.https endpoint.redirects-stay-https endpoint.redirects-terminate auth.challenge auth.prm-discoverable auth.issuers-resolve auth.pkce-s256 auth.client-acquisition ui.mime ui.domain-present",
      required:
        "auth.prm-pointer auth.rfc9207-iss auth.unsupported-flows ui.domain-unique ui.csp-exact ui.output-schema ui.useful-without-ui ui.screenshots domain.challenge-served domain.challenge-matches skills.extension skills.listing-complete skills.caps skills.digests skills.frontmatter",
      recommended: "endpoint.path auth.runtime-challenge",
      "manual-review": "skills.snapshot",
    },
    "directory-policy": {
      required:
        "tools.annotations tools.descriptions tools.name-length tools.schemas policy.non-promotional-package policy.non-promotional-listing policy.commerce",
      recommended: "tools.security-schemes",
      "manual-review":
        "policy.no-advertising policy.originality policy.predictable-side-effects policy.response-minimization policy.privacy-consistency",
    },
    "release-contract": {
      required: "release.origin release.contract",
      "manual-review": "release.schema-compatibility",
      "experimental-feature": "release.live-changes",
    },
    "optional-features": {
      "experimental-feature": "feature.imported-skills feature.ui-templates feature.cimd feature.checkout",
    },
    "submission-artifacts": {
      required:
        "submission.profile-valid submission.listing-fields submission.urls submission.test-cases submission.demo-access submission.account submission.geography submission.release-notes submission.attestations submission.domain-token submission.scan-currency",
      recommended: "submission.annotation-justifications submission.frame-domain-explanations",
      "manual-review":
        "submission.test-case-quality submission.attestation-truth submission.privacy-disclosure",
    },
    "experience-insights": { heuristic: "tools.annotation-honesty migration.host-language" },
  },
};

test.each([
  ["claude", "claude."],
  ["openai", "openai."],
] as const)("the rules of %s stand in their lanes with their weight", (kind, prefix) => {
  const rows = Object.entries(catalogue[kind]).flatMap(([lane, classes]) =>
    Object.entries(classes).flatMap(([of, ids]) =>
      ids.split(" ").map((id) => `${lane} ${of} ${prefix}${id}`),
    ),
  );
  const held = directories[kind].rules
    // What the portal refuses in a package has spoilings of its own.
    .filter(({ lane }) => lane !== "plugin-package")
    .map(({ id, lane, class: of }) => `${lane} ${of} ${id}`);
  expect(held.toSorted()).toEqual(rows.toSorted());
});

const rules = Object.values(directories).flatMap(({ rules: own }) => own);

test("a rule of a package decides, but for what is advised or agreed on", () => {
  const others = rules.filter(({ lane, class: of }) => lane === "plugin-package" && of !== "required");
  expect(Object.fromEntries(others.map(({ id, class: of }) => [id, of]))).toEqual({
    "openai.package.description": "recommended",
    "openai.package.manifest-at-root": "recommended",
    "openai.migration.stdio-transport": "by-agreement",
  });
});

test("a rule whose sources disagree names both, and never decides", () => {
  const disputed = rules.filter(({ source }) => source.disagreeing);
  expect(disputed.map(({ id }) => id)).toEqual([
    "openai.package.manifest-at-root",
    "openai.migration.stdio-transport",
  ]);
  for (const rule of disputed) {
    expect([rule.id, isDeciding(rule)]).toEqual([rule.id, false]);
    expect(rule.source.disagreeing?.url).not.toBe(rule.source.url);
    expect(rule.source.disagreeing?.says).toMatch(/\.$/);
  }
});

test("what takes a browser or leaves something behind says so, and nothing else does", () => {
  for (const { id, provenance, intrusiveness, requiresCapabilities = [], optIn } of rules) {
    const isDrawn = provenance === "browser";
    expect([id, requiresCapabilities.includes("browser")]).toEqual([id, isDrawn]);
    const isIntrusive = intrusiveness === "side-effecting";
    expect([id, requiresCapabilities.includes("intrusive-probes"), optIn]).toEqual([
      id,
      isIntrusive,
      isIntrusive ? "intrusive" : undefined,
    ]);
  }
});

test("a rule says where the publisher asks for it, and keeps its words when a report is redacted", () => {
  for (const { judge: _judge, ...rule } of rules) {
    expect(rule.source.url).toMatch(/^https:\/\/(?:claude\.com\/docs|developers\.openai\.com)\//);
    expect(rule.source.snapshotDate).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(redact(rule)).toEqual(rule);
  }
});
