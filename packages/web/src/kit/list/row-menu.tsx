/** @module What can be done with one row of a table, behind one button. */
import { type LucideIcon, MoreHorizontal } from "lucide-react";
import { Fragment } from "react";
import { IconButton } from "../../ui/icon-button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";

export interface RowAction {
  label: string;
  icon: LucideIcon;
  /** Set apart from the others, at the end. */
  danger?: boolean;
  /** Why it cannot be used. */
  blocked?: string | undefined;
  onSelect: () => void;
}

export interface RowMenuProps {
  /** Whose actions they are. */
  name: string;
  actions: readonly RowAction[];
  /** The row's keyboard stop, where it has no link. */
  focus?: boolean;
}

export function RowMenu({ name, actions, focus = false }: RowMenuProps) {
  return (
    // Above the link that covers the row.
    <span className="relative">
      <Menu
        trigger={
          <IconButton label={`Actions for ${name}`} {...(focus && { "data-row-focus": "" })}>
            <MoreHorizontal aria-hidden="true" className="size-4" />
          </IconButton>
        }
      >
        {actions.map(({ label, icon: Icon, danger = false, blocked, onSelect }, at) => (
          <Fragment key={label}>
            {danger && at > 0 && <MenuSeparator />}
            <MenuItem
              danger={danger}
              icon={<Icon aria-hidden="true" className="size-4" />}
              blocked={blocked}
              onSelect={onSelect}
            >
              {label}
            </MenuItem>
          </Fragment>
        ))}
      </Menu>
    </span>
  );
}
