/** @module Who is invited to a scenario: each with a link of their own, and how to take it back. */
import type { ScenarioDetail, ScenarioMember } from "@fettle/contract/visitors";
import { UserMinus } from "lucide-react";
import { useState } from "react";
import { type AnswerOf, useOperation } from "../../../api/operation.ts";
import { ConfirmDialog } from "../../../kit/confirm-dialog.tsx";
import { FormDialog } from "../../../kit/form-dialog.tsx";
import { DataTable } from "../../../kit/list/data-table.tsx";
import { RowMenu } from "../../../kit/list/row-menu.tsx";
import { Loaded } from "../../../kit/loaded.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Button } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import { toast } from "../../../ui/toast.tsx";

export interface PeoplePanelProps {
  pid: string;
  scenario: ScenarioDetail;
}

export function PeoplePanel({ pid, scenario: { id: scenarioId, mode } }: PeoplePanelProps) {
  const asked = { projectId: pid, scenarioId };
  const query = useOperation("listScenarioMembers", asked);
  const [inviting, setInviting] = useState(false);
  const [leaving, setLeaving] = useState<ScenarioMember>();
  const remove = useChange("removeScenarioMember", () => {
    toast(`${leaving?.email} is not invited any more`);
    setLeaving(undefined);
  });
  return (
    <Panel
      title="Invited people"
      about={
        mode === "project_members" ? "Their links rest while only people of the project may come." : undefined
      }
      aside={<Button onClick={() => setInviting(true)}>Invite …</Button>}
    >
      <Loaded query={query} what="who is invited">
        {({ items }) =>
          items.length === 0 ? (
            <p className="text-soft">Nobody is invited by address yet.</p>
          ) : (
            <DataTable<ScenarioMember>
              caption="Who is invited"
              columns={[
                {
                  id: "email",
                  header: "Address",
                  cell: ({ email }) => <span className="break-all">{email}</span>,
                },
                {
                  id: "visit",
                  header: "Last there",
                  cell: ({ lastVisitAt }) =>
                    lastVisitAt === null ? (
                      <span className="text-faint">Never</span>
                    ) : (
                      <Time at={lastVisitAt} />
                    ),
                },
                {
                  id: "actions",
                  header: "Actions",
                  quiet: true,
                  align: "end",
                  cell: (member) => (
                    <RowMenu
                      focus
                      name={member.email}
                      actions={[
                        {
                          label: "Remove …",
                          icon: UserMinus,
                          danger: true,
                          onSelect: () => setLeaving(member),
                        },
                      ]}
                    />
                  ),
                },
              ]}
              items={items}
              keyOf={({ id }) => id}
              noun={["person", "people"]}
            />
          )
        }
      </Loaded>
      {inviting && <InviteDialog pid={pid} scenarioId={scenarioId} onClose={() => setInviting(false)} />}
      {leaving && (
        <ConfirmDialog
          title={`Remove ${leaving.email}?`}
          confirm="Remove"
          action={remove}
          onClose={() => setLeaving(undefined)}
          onConfirm={() => remove.run({ ...asked, memberIdOrEmail: leaving.id })}
        >
          <p>
            Their link is dead, and every open conversation ends at once; whoever still may comes in again by
            the link and goes on. What they said stays.
          </p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

function InviteDialog(props: { pid: string; scenarioId: string; onClose: () => void }) {
  const { pid, scenarioId, onClose } = props;
  const [made, setMade] = useState<AnswerOf<"upsertScenarioMember">>();
  const [byLetter, setByLetter] = useState(true);
  const invite = useChange("upsertScenarioMember", setMade);
  if (made) {
    return (
      <Dialog
        open
        wide
        title={`Link of ${made.email}`}
        description={
          made.invited ? "A letter with this link is on its way." : "No letter was sent: hand the link over."
        }
        onClose={onClose}
      >
        <div className="flex items-center gap-2 rounded-control border border-edge bg-sunken py-1.5 pr-1.5 pl-3">
          <code data-secret="" className="min-w-0 flex-1 break-all text-code">
            {made.link}
          </code>
          <CopyButton text={made.link} label="Copy link" look="primary" />
        </div>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title="Invite somebody"
      description="They get a link of their own, which works without an account."
      submit="Invite"
      action={invite}
      onClose={onClose}
      onSubmit={(values) =>
        invite.run({
          projectId: pid,
          scenarioId,
          body: { email: String(values.get("email")), sendInviteEmail: byLetter },
        })
      }
    >
      <Field label="Email" name="email">
        {(control) => (
          <Input {...control} type="email" required autoComplete="off" placeholder="ana@example.com" />
        )}
      </Field>
      <Checkbox
        label="Send a letter"
        hint="Where this deployment has a mail server; otherwise you hand the link over."
        checked={byLetter}
        onChange={() => setByLetter(!byLetter)}
      />
    </FormDialog>
  );
}
