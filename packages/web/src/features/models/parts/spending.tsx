/** @module What models have cost, and the daily limit. */
import { modelLimits } from "@fettle/contract/core";
import type { ModelSpend } from "@fettle/contract/models";
import { fieldErrors } from "../../../api/failure.ts";
import { FormFailure } from "../../../kit/form-failure.tsx";
import { textColumn } from "../../../kit/list/columns.tsx";
import { type Column, DataTable } from "../../../kit/list/data-table.tsx";
import { SubmitButton } from "../../../kit/submit-button.tsx";
import { useChange } from "../../../kit/use-change.ts";
import { Fact, Facts } from "../../../ui/fact.tsx";
import { Field } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Input } from "../../../ui/input.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import { toast } from "../../../ui/toast.tsx";
import { count, dollars } from "../words.ts";

export function Spending({ organizationId, spend }: { organizationId: string; spend: ModelSpend }) {
  return (
    <>
      <Budget organizationId={organizationId} spend={spend} />
      {spend.byModel.length > 0 && <Tables spend={spend} />}
    </>
  );
}

function Budget({ organizationId, spend }: { organizationId: string; spend: ModelSpend }) {
  const save = useChange("setModelBudget", () => toast("Daily limit saved"));
  const { today, dailyCapUsd, deploymentCapUsd, reservedUsd, resetsAt } = spend;
  return (
    <Form
      label="Spending"
      errors={fieldErrors(save.failure)}
      onSubmit={(values) => {
        const typed = String(values.get("dailyCapUsd")).trim();
        save.run({ organizationId, body: { dailyCapUsd: typed === "" ? null : Number(typed) } });
      }}
    >
      <Panel
        title="Spending"
        about="Counted for every call, whoever's key is used."
        footer={
          <>
            <span>
              Days begin at midnight UTC. Next: <Time at={resetsAt} />
            </span>
            <SubmitButton busy={save.busy}>Save limit</SubmitButton>
          </>
        }
      >
        <div className="grid gap-5">
          <Facts>
            <Fact name="Today">
              <span data-testid="spent-today">{dollars(today.costUsd)}</span>
            </Fact>
            <Fact name="Calls today">
              {count(today.calls)}
              {today.unpricedCalls > 0 && `, ${count(today.unpricedCalls)} without a price`}
            </Fact>
            {today.unsettledCalls > 0 && (
              <Fact name="Unsettled calls today">
                <span data-testid="unsettled-today">{unsettledWords(today)}</span>
              </Fact>
            )}
            <Fact name="Reserved">{dollars(reservedUsd)}</Fact>
            <Fact name="Limit of the service">
              {deploymentCapUsd === null ? "None" : `${dollars(deploymentCapUsd)} a day`}
            </Fact>
          </Facts>
          <Field
            label="Daily limit in US dollars"
            name="dailyCapUsd"
            optional
            hint="What would pass it is refused until the next day. Empty: no limit. Models without a price cannot be used under one."
          >
            {(control) => (
              <Input
                {...control}
                key={dailyCapUsd}
                className="max-w-52"
                type="number"
                min={0}
                max={modelLimits.usd}
                step="any"
                inputMode="decimal"
                defaultValue={dailyCapUsd ?? ""}
              />
            )}
          </Field>
          <FormFailure failure={save.failure} />
        </div>
      </Panel>
    </Form>
  );
}

function Tables({ spend }: { spend: ModelSpend }) {
  return (
    <div className="stack gap-6">
      <h2 className="font-semibold text-lg">The last {spend.days} days</h2>
      <SpendTable what="model" items={spend.byModel} nameOf={({ model }) => model} />
      <SpendTable
        what="project"
        items={spend.byProject}
        nameOf={({ projectId, name }) =>
          name ?? (projectId === null ? "No project" : `Deleted (${projectId})`)
        }
      />
      <SpendTable what="day" items={spend.byDay} nameOf={({ day }) => day} />
    </div>
  );
}

interface SpendTableProps<Item> {
  what: "model" | "project" | "day";
  items: readonly Item[];
  nameOf: (item: Item) => string;
}

const headers = { model: "Model", project: "Project", day: "Day" } as const;

function SpendTable<Item extends ModelSpend["today"]>({ what, items, nameOf }: SpendTableProps<Item>) {
  const columns: Column<Item>[] = [
    { id: "name", header: headers[what], cell: nameOf },
    amountColumn("Calls", ({ calls }) => count(calls)),
    amountColumn("Tokens in", ({ inputTokens }) => count(inputTokens), { wideOnly: true }),
    amountColumn("Tokens out", ({ outputTokens }) => count(outputTokens), { wideOnly: true }),
    amountColumn("Cost", ({ costUsd }) => dollars(costUsd)),
    ...(items.some(({ unsettledCalls }) => unsettledCalls > 0)
      ? [amountColumn("Unsettled (estimate)", unsettledWords)]
      : []),
  ];
  return (
    <DataTable
      caption={`By ${what}`}
      columns={columns}
      items={items}
      keyOf={nameOf}
      noun={[what, `${what}s`]}
    />
  );
}

/** They are still running, or their process stopped: what they cost is not known, and not part of the cost. */
function unsettledWords({ unsettledCalls, unsettledUsd }: ModelSpend["today"]): string {
  return unsettledCalls === 0 ? "0" : `${count(unsettledCalls)} (${dollars(unsettledUsd)})`;
}

function amountColumn(
  header: string,
  text: (amounts: ModelSpend["today"]) => string,
  more: Partial<Column<ModelSpend["today"]>> = {},
): Column<ModelSpend["today"]> {
  return textColumn(header, text, { align: "end", ...more });
}
