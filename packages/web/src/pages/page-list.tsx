/** @module A page's list with all its states: being read, failed, empty, filtered, narrowed to nothing. */
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Blocked } from "../kit/blocked.tsx";
import { FilterInput } from "../kit/list/filter-input.tsx";
import { NothingMatches } from "../kit/list/nothing-matches.tsx";
import { Loaded, type Read } from "../kit/loaded.tsx";
import { StateView } from "../kit/state-view.tsx";
import { Button } from "../ui/button.tsx";
import { useRefusal } from "./page-context.tsx";
import { type AppPageId, pageById } from "./pages.ts";
import { usePrimaryAction, useSearchText } from "./use-search.ts";

export interface PageListProps<Item> {
  /** Whose words and action stand where there is nothing yet. */
  id: AppPageId;
  query: Read<{ items: readonly Item[] }>;
  /** Many of them, as in "servers". */
  noun: string;
  icon: LucideIcon;
  /** What of each the filter looks through. */
  textOf?: (item: Item) => string;
  /** How else the list is narrowed already, so that an empty one is no sign that there is nothing. */
  narrowed?: { to: string; clear: () => void } | false;
  /** Beside the filter. */
  tools?: (shown: readonly Item[]) => ReactNode;
  /** Why the action cannot be used, where it is not the role that the page declares. */
  blocked?: string | undefined;
  /** Below the words of the empty state. */
  hint?: ReactNode;
  children: (shown: readonly Item[]) => ReactNode;
}

/**
 * @example
 * <PageList id="plugins" query={query} noun="plugins" icon={Plug} textOf={({ name }) => name}>
 *   {(shown) => <PluginTable plugins={shown} />}
 * </PageList>
 */
export function PageList<Item>({ query, noun, ...rest }: PageListProps<Item>) {
  return (
    <Loaded query={query} what={`the ${noun}`}>
      {({ items }) =>
        items.length === 0 && !rest.narrowed ? (
          <Nothing {...rest} />
        ) : (
          <Items noun={noun} items={items} {...rest} />
        )
      }
    </Loaded>
  );
}

function Nothing({
  id,
  icon: Icon,
  blocked,
  hint,
}: Pick<PageListProps<never>, "id" | "icon" | "blocked" | "hint">) {
  const { empty, action } = pageById(id);
  const refusal = useRefusal(id);
  const [, setOpen] = usePrimaryAction();
  return (
    <StateView
      heading="h2"
      state="empty"
      icon={<Icon aria-hidden="true" className="size-5" />}
      title={empty?.title ?? "Nothing yet"}
      actions={
        action && (
          <Blocked reason={blocked ?? refusal}>
            <Button onClick={() => setOpen(true)}>{action.label}</Button>
          </Blocked>
        )
      }
    >
      {empty?.text}
      {hint && <div className="mt-4">{hint}</div>}
    </StateView>
  );
}

type ItemsProps<Item> = Pick<PageListProps<Item>, "noun" | "textOf" | "narrowed" | "tools" | "children"> & {
  items: readonly Item[];
};

function Items<Item>({ noun, items, textOf, narrowed, tools, children }: ItemsProps<Item>) {
  const [filter, setFilter] = useSearchText("q");
  const wanted = filter.toLowerCase();
  const shown = textOf ? items.filter((item) => textOf(item).toLowerCase().includes(wanted)) : items;
  return (
    <div className="stack gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        {textOf && <FilterInput label={`Filter ${noun}`} value={filter} onChange={setFilter} />}
        {tools?.(shown)}
      </div>
      {shown.length > 0 ? (
        children(shown)
      ) : items.length === 0 && narrowed ? (
        <NothingMatches filter={narrowed.to} onClear={narrowed.clear} />
      ) : (
        <NothingMatches filter={filter} onClear={() => setFilter("")} />
      )}
    </div>
  );
}
