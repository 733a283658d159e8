/** @module From one server to another, in the same section. */
import { useNavigate } from "@tanstack/react-router";
import { Check, ChevronsUpDown, Server } from "lucide-react";
import { useOperation } from "../../../api/operation.ts";
import { cx } from "../../../lib/cx.ts";
import { type AppPageId, addressOf, pageById, pagePath } from "../../../pages/pages.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "../../../ui/menu.tsx";
import { ServerStatus } from "./server-status.tsx";

export interface ServerSwitcherProps {
  projectId: string;
  serverId: string;
  /** The section that is open, and stays so. */
  page: AppPageId;
}

export function ServerSwitcher(props: ServerSwitcherProps) {
  return (
    <Menu
      align="start"
      className="w-72"
      trigger={
        <IconButton label="Switch server" className="-ml-1.5">
          <ChevronsUpDown aria-hidden="true" className="size-3.5 text-faint" />
        </IconButton>
      }
    >
      <Servers {...props} />
    </Menu>
  );
}

/** Longer lists are searched in the palette, or on their page. */
const shownAtMost = 30;

function Servers({ projectId, serverId, page }: ServerSwitcherProps) {
  const { data } = useOperation("listProjectServers", { projectId });
  const navigate = useNavigate();
  return (
    <>
      <MenuLabel>Servers of the project</MenuLabel>
      {data?.items.slice(0, shownAtMost).map(({ id, name }) => (
        <MenuItem
          key={id}
          icon={<Check aria-hidden="true" className={cx("size-4", id !== serverId && "invisible")} />}
          end={<ServerStatus projectId={projectId} serverId={id} />}
          onSelect={() => void navigate({ to: addressOf(pageById(page), { pid: projectId, sid: id }) })}
        >
          {name}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem
        icon={<Server aria-hidden="true" className="size-4" />}
        onSelect={() => void navigate({ to: pagePath("servers", { pid: projectId }) })}
      >
        All servers
      </MenuItem>
    </>
  );
}
