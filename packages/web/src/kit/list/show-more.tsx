/** @module The way to the next page of a list, while there is one. */
import { Button } from "../../ui/button.tsx";

interface ShowMoreProps {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> };
  children?: string;
}

export function ShowMore({ query, children = "Show more" }: ShowMoreProps) {
  if (!query.hasNextPage) return null;
  return (
    <span>
      <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {children}
      </Button>
    </span>
  );
}
