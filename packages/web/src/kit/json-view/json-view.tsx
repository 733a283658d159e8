/** @module A JSON value to look at. The tree that draws it is fetched with the first: most values stay folded away. */
import { lazy, Suspense } from "react";
import type { JsonTreeProps } from "./json-tree.tsx";

const JsonTree = lazy(async () => ({ default: (await import("./json-tree.tsx")).JsonTree }));

export function JsonView(props: JsonTreeProps) {
  return (
    <Suspense>
      <JsonTree {...props} />
    </Suspense>
  );
}
