/** @module A readiness grade for eyes: the lanes, what stands in the way, what nobody could evaluate and how to change that, and advice. */
import type { ReadinessInput } from "@fettle/checks";
import type {
  ReadinessFindingView,
  ReadinessGrade,
  ReadinessLane,
  ReadinessReportView,
} from "@fettle/contract/servers";
import type { View } from "../output/printer.ts";
import { count, table } from "../output/table.ts";
import { lines, style, type Text, text, wrap } from "../output/text.ts";

const grades: Record<ReadinessGrade, Text> = {
  ready: style.green("✓ ready"),
  "not-ready": style.red("✗ not ready"),
  incomplete: style.yellow("! incomplete"),
};

/** How to supply what is missing; a newer service may miss more. */
const supplies = new Map<string, string>(
  Object.entries<string>({
    serverUrl: "Name the server by its address.",
    serverAnswer:
      "Mend what stands in the way first; where nothing answers, `fettle server doctor` tells why.",
    authorizationServer: "The authorization server has to answer from where the check runs.",
    submissionProfile: "Write what the listing will say into .fettle/submission.yaml.",
    toolListing: "The whole list of tools has to be read; a sign-in may be needed (--access-token).",
    toolResults: "It takes calls of tools, which this check never makes: try it by hand.",
    appsResult: "Every widget has to be readable; see `fettle apps conformance`.",
    authorizationRequests: "Let oauth conformance sign in, and give the JSON it prints as --oauth-result.",
    intrusive: "It takes a grant of your own, and leaves something behind.",
    pluginBundle: "Give the package with --package, one that can be read to its end.",
    importedSkills: "The server has to offer its skills.",
    publishedSnapshot: "Name the published version in the profile.",
    dns: "It takes look-ups of names.",
    "raw-origin": "It takes requests to the server's own address.",
    "interactive-oauth":
      "It takes a person who signs in: give the JSON that oauth conformance printed as --oauth-result.",
    browser: "It takes a browser, which this check does not have: look at the widgets by hand.",
    "webkit-browser": "It takes a WebKit browser.",
    "intrusive-probes": "It takes a grant of your own, and leaves something behind.",
  } satisfies Record<ReadinessInput, string>),
);

const decides = ({ class: kind }: ShownFinding) => kind === "required" || kind === "runtime-blocker";

/** What a report says, whether it was made here or by a run at the service. */
type Shown = Pick<ReadinessReportView, "lanes" | "stages" | "badges" | "summary"> & {
  overallStatus: ReadinessGrade;
  findings: readonly ShownFinding[];
};
type ShownFinding = Omit<ReadinessFindingView, "requiresCapabilities" | "derivedFrom">;

export function readinessText(
  report: Shown,
  { width }: View,
  { verbose = false }: { verbose?: boolean } = {},
): Text {
  const room = Number.isFinite(width) ? width : 120;
  const { findings, lanes, stages, badges, overallStatus, summary } = report;
  const violated = findings.filter(({ status }) => status === "violated");
  const advice = violated.filter((finding) => !decides(finding));
  const forPeople = findings.filter(
    ({ class: kind, status }) => kind === "manual-review" && status === "informational",
  );
  const rest = findings.filter(({ status }) => status === "satisfied" || status === "not-applicable");
  return lines([
    laneTable(lanes, stages.at(-1)?.lanes ?? [], room),
    ...titled(
      "stands in the way",
      violated.filter(decides).flatMap((each) => findingLines(each, style.red("✗"), room)),
    ),
    ...titled("could not be evaluated", openLines(findings, room)),
    ...titled(
      "advice",
      advice.flatMap((each) => findingLines(each, style.yellow("~"), room)),
    ),
    ...titled(
      "for a person to look at",
      forPeople.map(({ id, title }) => text`  ${style.dim("·")} ${id}  ${style.dim(title)}`),
    ),
    ...(verbose ? titled("the rest", rest.map(restLine)) : []),
    ...titled(
      "features",
      badges.map(({ title, state }) => text`  ${style.dim("·")} ${title}: ${state}`),
    ),
    "",
    style.dim(stages.map(({ stage, status }) => `${stage}: ${status}`).join(", ")),
    text`${grades[overallStatus]}  ${summary}`,
  ]);
}

function titled(title: string, content: readonly Text[]): Text[] {
  return content.length === 0 ? [] : [text``, style.dim(title), ...content];
}

/** A lane that no stage needs is told without a grade: it would read like a fault. */
function laneTable(lanes: Shown["lanes"], needed: readonly ReadinessLane[], width: number): Text {
  const columns = [
    { header: "LANE" },
    { header: "GRADE" },
    { header: "EVALUATED", align: "right" as const },
    { header: "OPEN", align: "right" as const },
    { header: "MISSING", shrinks: true },
  ];
  const rows = lanes.map(({ lane, status, evaluated, notEvaluated, missingInputs }) => [
    style.bold(lane),
    needed.includes(lane) ? grades[status] : style.dim("· never decides"),
    String(evaluated),
    String(notEvaluated),
    missingInputs.join(", "),
  ]);
  return table(columns, rows, width);
}

function findingLines(finding: ShownFinding, mark: Text, width: number): Text[] {
  const { id, title, message, remediation, source, details } = finding;
  const faults = Array.isArray(details?.faults) ? details.faults.map(String) : [];
  const said = faults.length > 0 ? faults : [message ?? title];
  const told = [...said, ...(remediation === undefined ? [] : [remediation])];
  const inset = "      ";
  return [
    text`  ${mark} ${style.bold(id)}  ${style.dim(title)}`,
    ...told.flatMap((sentence) => wrap(sentence, width - inset.length).map((line) => text`${inset}${line}`)),
    text`${inset}${style.dim(`${source.page}, ${source.section} (${source.snapshotDate}): ${source.url}`)}`,
  ];
}

/** One paragraph for each input that is missing; what decides first. */
function openLines(findings: readonly ShownFinding[], width: number): Text[] {
  const open = findings.filter(({ status }) => status === "not-evaluated");
  return [...Map.groupBy(open, ({ missingInput = "serverAnswer" }) => missingInput)].flatMap(
    ([input, group]) => {
      const deciding = group.filter(decides).length;
      const why = [...new Set(group.map(({ notEvaluatedReason = "" }) => notEvaluatedReason))];
      const inset = "      ";
      const wrapped = (sentence: string) => wrap(sentence, width - inset.length);
      return [
        text`  ${deciding > 0 ? style.yellow("!") : style.dim("·")} ${style.bold(input)}  ${count(group.length, "rule")}, ${deciding} that decide`,
        ...[...why, supplies.get(input) ?? []]
          .flat()
          .flatMap(wrapped)
          .map((line) => text`${inset}${line}`),
        ...wrapped(group.map(({ id }) => id).join(", ")).map((line) => text`${inset}${style.dim(line)}`),
      ];
    },
  );
}

function restLine({ id, status, message, title }: ShownFinding): Text {
  const mark = status === "satisfied" ? style.green("✓") : style.dim("·");
  return text`  ${mark} ${id}  ${style.dim(message ?? title)}`;
}
