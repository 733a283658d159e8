/** @module Of which server a list shows the runs. */
import { Select } from "../../ui/select.tsx";

export interface ServerSelectProps {
  servers: readonly { id: string; name: string }[] | undefined;
  /** "" for all of them. */
  value: string;
  onChange: (serverId: string) => void;
  className?: string;
}

export function ServerSelect({ servers = [], value, onChange, className }: ServerSelectProps) {
  return (
    <Select
      aria-label="Runs of"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      options={[
        { value: "", label: "All servers" },
        ...servers.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      className={className}
    />
  );
}
