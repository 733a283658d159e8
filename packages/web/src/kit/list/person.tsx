/** @module A person in a table: who they are and how to reach them. */
import { Avatar } from "../../ui/avatar.tsx";
import { Chip } from "../../ui/chip.tsx";

export function Person({ name, email, self = false }: { name: string; email: string; self?: boolean }) {
  return (
    <span className="flex items-center gap-3">
      <Avatar name={name || email} large />
      <span className="min-w-0 max-sm:max-w-32">
        <span className="flex items-center gap-2">
          <span className="truncate font-medium">{name || email}</span>
          {self && <Chip plain>You</Chip>}
        </span>
        <span className="block truncate text-faint text-sm">{email}</span>
      </span>
    </span>
  );
}
