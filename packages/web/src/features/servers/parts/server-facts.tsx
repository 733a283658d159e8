/** @module Who the server says it is, what it can do, and its instructions to models. */
import type { ReactNode } from "react";
import { JsonView } from "../../../kit/json-view/json-view.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { isJsonObject, type Json } from "../../../lib/json-exact.ts";
import { Chip } from "../../../ui/chip.tsx";
import { Fact, Facts } from "../../../ui/fact.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Unknown } from "../../../ui/unknown.tsx";
import type { Examination } from "../queries.ts";

export function ServerFacts({ report }: { report: Examination }) {
  // Passed on as the server sent it: nothing in it is certain to be there.
  const info = (report.initInfo ?? {}) as Record<string, Json>;
  const self = isJsonObject(info.serverVersion) ? info.serverVersion : {};
  const capabilities = report.capabilities as Record<string, Json> | null;
  return (
    <>
      <Panel title="What it says of itself">
        <Facts>
          <Fact name="Name">{text(self.title ?? self.name)}</Fact>
          <Fact name="Version">{text(self.version)}</Fact>
          <Fact name="Protocol">{text(info.protocolVersion)}</Fact>
          <Fact name="Transport">{text(info.transport)}</Fact>
          <Fact name="Tools">{count(report, "tools")}</Fact>
          <Fact name="Resources">{count(report, "resources")}</Fact>
          <Fact name="Templates">{count(report, "resourceTemplates")}</Fact>
          <Fact name="Prompts">{count(report, "prompts")}</Fact>
        </Facts>
      </Panel>
      {capabilities && (
        <Panel title="Capabilities">
          <div className="stack gap-3">
            <div className="flex flex-wrap gap-1.5">
              {Object.keys(capabilities).map((name) => (
                <Chip key={name} plain>
                  {name}
                </Chip>
              ))}
              {Object.keys(capabilities).length === 0 && <p className="text-soft">It names none.</p>}
            </div>
            <details>
              <summary className="w-fit rounded-[4px] text-sm text-soft">In full</summary>
              <div className="mt-2">
                <JsonView value={capabilities} label="capabilities" />
              </div>
            </details>
          </div>
        </Panel>
      )}
      {typeof info.instructions === "string" && (
        <Panel title="Instructions" about="What the server tells every model that uses it.">
          <p className="max-w-[70ch] whitespace-pre-wrap break-words">
            <VisibleText text={info.instructions} />
          </p>
        </Panel>
      )}
    </>
  );
}

function text(value: Json | undefined): ReactNode {
  return typeof value === "string" ? (
    <VisibleText text={value} />
  ) : (
    <Unknown reason="The server does not say." />
  );
}

function count(
  report: Examination,
  name: "tools" | "resources" | "resourceTemplates" | "prompts",
): ReactNode {
  const check = report.checks[name];
  return check?.status === "ok" ? (
    report.offers[name]
  ) : (
    <Unknown reason={check?.detail ?? "Not looked at."} />
  );
}
