/** @module What a visitor agrees to before the first word: who asks, what is recorded, who answers. */
import { userTestingLimits } from "@fettle/contract/core";
import type { Visit, VisitSession } from "@fettle/contract/visitors";
import { type ReactNode, useState } from "react";
import { SubmitButton } from "../../../kit/submit-button.tsx";
import { useAction } from "../../../kit/use-action.ts";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Field } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Input } from "../../../ui/input.tsx";
import { consentAndBegin } from "../queries.ts";
import { answererText } from "../visit-words.ts";
import { VisitFailure } from "./visit-failure.tsx";

export interface ConsentProps {
  visit: Visit;
  onBegun: (session: VisitSession) => void;
}

export function Consent({ visit, onBegun }: ConsentProps) {
  const [agrees, setAgrees] = useState(false);
  const isGuest = visit.visitor.authType === "guest" && visit.visitor.displayName === null;
  const consent = useAction((name: string) => consentAndBegin(visit.scenarioId, name), onBegun);
  return (
    <Form
      label="Agree and begin"
      className="grid gap-5"
      onSubmit={(values) => agrees && consent.run(String(values.get("displayName") ?? "").trim())}
    >
      <VisitFacts visit={visit} />
      {isGuest && (
        <Field
          label="Your name"
          name="displayName"
          optional
          hint={`Seen by ${visit.organizationName}. Leave it empty to stay unnamed.`}
        >
          {(control) => (
            <Input
              {...control}
              autoComplete="name"
              maxLength={userTestingLimits.displayNameLength}
              // The conversation takes this form's place: what is typed here now would go with it.
              readOnly={consent.busy}
            />
          )}
        </Field>
      )}
      <Checkbox
        label="I have read this and agree to take part"
        checked={agrees}
        onChange={(event) => setAgrees(event.target.checked)}
      />
      <VisitFailure failure={consent.failure} />
      <SubmitButton busy={consent.busy} disabled={!agrees}>
        Agree and begin
      </SubmitButton>
    </Form>
  );
}

/** Also to be read again while one talks. */
export function VisitFacts({ visit }: Pick<ConsentProps, "visit">) {
  const { organizationName, consent, servers, model } = visit;
  return (
    <dl className="grid gap-3 text-base">
      <Said name="Who asks">
        <VisibleText text={organizationName} />
      </Said>
      <Said name="What happens">
        You write messages, and are answered. {answererText(model)}
        {servers.length > 0 && (
          <>
            {" "}
            It may use the tools of <VisibleText text={servers.map(({ name }) => name).join(", ")} />;{" "}
            {consent.toolsMayAct
              ? "these may change things, and are what is being tested."
              : "only those that say of themselves that they change nothing."}
          </>
        )}
      </Said>
      <Said name="What is recorded">
        Everything you write, every answer, the names of the tools that were used, your ratings, your language
        and the kind of your device. It is kept for {consent.retentionDays} days and read by{" "}
        {organizationName}. Write nothing that you would not show them.
      </Said>
      <Said name="Your rights">
        You can stop at any time, and erase what you said within a day of the end.
      </Said>
    </dl>
  );
}

function Said({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="font-medium text-sm">{name}</dt>
      <dd className="mt-0.5 break-words text-soft">{children}</dd>
    </div>
  );
}
