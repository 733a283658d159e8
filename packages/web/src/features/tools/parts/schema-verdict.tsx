/** @module Whether the structured result is what the tool promised. */
import { useEffect, useState } from "react";
import { checkAgainst, type ValueCheck } from "../../../kit/check-schema.ts";
import { NotCheckedParts } from "../../../kit/not-checked-parts.tsx";
import { VisibleText } from "../../../kit/visible-text.tsx";
import { isJsonObject, type Json } from "../../../lib/json-exact.ts";
import { Chip } from "../../../ui/chip.tsx";
import { Notice } from "../../../ui/notice.tsx";

export function SchemaVerdict({ schema, value }: { schema: Json | undefined; value: Json }) {
  const [check, setCheck] = useState<ValueCheck>();
  useEffect(() => {
    let isCurrent = true;
    setCheck(undefined);
    if (isJsonObject(schema)) void checkAgainst(schema, value).then((done) => isCurrent && setCheck(done));
    return () => {
      isCurrent = false;
    };
  }, [schema, value]);
  if (!isJsonObject(schema)) return <Chip>names no output schema</Chip>;
  if (check === undefined) return null;
  if (check.kind === "unusable")
    return (
      <Notice kind="warn" title="Not checked against its output schema">
        <p>
          The schema <VisibleText text={check.why} />.
        </p>
      </Notice>
    );
  if (check.faults.length === 0)
    return check.unchecked.length > 0 ? (
      <NotCheckedParts
        title="Matches its output schema as far as it could be checked"
        parts={check.unchecked}
      />
    ) : (
      <div>
        <Chip tone="good">matches its output schema</Chip>
      </div>
    );
  return (
    <Notice kind="bad" title="Does not match its output schema">
      {check.faults.map(({ at, message }) => (
        <p key={`${at} ${message}`}>
          {at && <code className="mr-1 text-code">{at}</code>}
          {message}
        </p>
      ))}
    </Notice>
  );
}
