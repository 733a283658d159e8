/** @module The flags of a list that is read a page at a time. */

export const cursor = { field: "cursor", value: "cursor", help: "Where the page before ended" } as const;

/** Of a list that may be very long: so many come where nothing is said. */
export const limitOf = ({ fallback }: { fallback: number }) =>
  ({ field: "limit", value: "n", help: `So many; ${fallback} unless said` }) as const;
