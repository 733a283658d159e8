/** @module The person's own corner: account pages, theme, keys, sign out. */
import { useNavigate } from "@tanstack/react-router";
import {
  BookOpen,
  ChevronsUpDown,
  Keyboard,
  KeyRound,
  LogOut,
  MonitorSmartphone,
  SunMoon,
  User,
} from "lucide-react";
import { isLocal } from "../../lib/local.ts";
import { useBootstrap } from "../../pages/page-context.tsx";
import { type AppPageId, pagePath } from "../../pages/pages.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Kbd } from "../../ui/kbd.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { keySheetOpen } from "../palette/palette-open.ts";
import { signOut } from "../sign-out.ts";

const icon = "size-4";

export function UserMenu() {
  const { user, version } = useBootstrap();
  const navigate = useNavigate();
  const open: Open = (page) => () => void navigate({ to: pagePath(page, {}) });
  return (
    <Menu
      side="top"
      align="start"
      className="w-66"
      trigger={
        <button
          type="button"
          className="flex w-full items-center gap-2.5 rounded-control px-1.5 py-1.5 text-left transition-colors duration-(--quick) hover:bg-hover data-[state=open]:bg-selected"
        >
          <Avatar name={user.name || user.email} />
          <span className="min-w-0 flex-1 truncate text-base">{user.name || user.email}</span>
          <ChevronsUpDown aria-hidden="true" className="size-3.5 text-faint" />
          <span className="sr-only">Account menu</span>
        </button>
      }
    >
      {!isLocal && <Account email={user.email} open={open} />}
      <MenuItem icon={<SunMoon aria-hidden="true" className={icon} />} onSelect={open("account-appearance")}>
        Appearance
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={<Keyboard aria-hidden="true" className={icon} />}
        end={<Kbd>?</Kbd>}
        onSelect={() => keySheetOpen.set(true)}
      >
        Keyboard
      </MenuItem>
      {!isLocal && <Leaving />}
      <p className="px-2 pt-1 pb-1 text-faint text-xs">Fettle {version}</p>
    </Menu>
  );
}

type Open = (page: Extract<AppPageId, `account-${string}`>) => () => void;

/** Of whoever is signed in; on their own machine nobody is. */
function Account({ email, open }: { email: string; open: Open }) {
  return (
    <>
      <p className="truncate px-2 pt-1.5 pb-1 text-faint text-xs">{email}</p>
      <MenuItem icon={<User aria-hidden="true" className={icon} />} onSelect={open("account-profile")}>
        Profile
      </MenuItem>
      <MenuItem icon={<KeyRound aria-hidden="true" className={icon} />} onSelect={open("account-keys")}>
        API keys
      </MenuItem>
      <MenuItem
        icon={<MonitorSmartphone aria-hidden="true" className={icon} />}
        onSelect={open("account-devices")}
      >
        Devices
      </MenuItem>
    </>
  );
}

function Leaving() {
  return (
    <>
      <MenuItem
        icon={<BookOpen aria-hidden="true" className={icon} />}
        onSelect={() => location.assign("/docs/api")}
      >
        API reference
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<LogOut aria-hidden="true" className={icon} />} onSelect={() => void signOut()}>
        Sign out
      </MenuItem>
    </>
  );
}
