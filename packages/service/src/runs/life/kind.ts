/** @module What a kind of run says of itself: its table, its words, and its verdict. Everything else of its life is the same for all and stands in `life.ts`. */
import type { ApiError, JobId, ProjectId, ProjectPart } from "@fettle/contract/core";
import type { SQL } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
import type { App } from "../../core/app.ts";
import type { Transaction } from "../../core/db/pool.ts";

/** What the table of every kind has. */
export type RunTable = PgTable & Record<"id" | "projectId" | "status" | "jobId" | "createdAt", AnyPgColumn>;

/** What a run of every kind has. */
export interface RunHead {
  id: string;
  projectId: ProjectId;
  status: string;
  /** Null: made elsewhere and reported. */
  jobId: JobId | null;
}

/** How a run ends. A kind adds ends of its own; these two every kind must know. `lost`: nobody will finish it. */
export type Ending<Own = never> = Own | { end: "canceled" } | { end: "lost" };

// Methods, not properties: a list of kinds holds each as one whose rows it knows only the head of.
export interface RunKind<Row extends RunHead = RunHead, Values extends object = object, Own = never> {
  name: string;
  /** What its watchdog's job is called; stored with its schedule, so changing it orphans that. */
  watchdog: string;
  table: RunTable;
  /** All, unless one is too long to be read with every change. */
  columns?: Record<string, AnyPgColumn | SQL>;
  /** What open pages are told has changed. */
  part: ProjectPart;
  /** The database's words for its open states; all others are ends. A kind whose runs never wait has the same word twice. */
  open: { waiting: Row["status"]; running: Row["status"] };
  /** What models are paid for as, where its runs call models. What a launch has set aside under it is given back at the end. */
  spendsAs?: string;
  /** What a run is changed to at its end, the new status included. Undefined: it is not over yet. The row is locked. */
  verdict(
    app: App,
    tx: Transaction,
    run: Row,
    ending: Ending<Own>,
  ): Partial<Values> | undefined | Promise<Partial<Values> | undefined>;
  /** What follows from the end, once and in its transaction: emails, history, mining. */
  ended?(app: App, tx: Transaction, run: Row, ending: Ending<Own>): Promise<void>;
  /** Which open runs nobody will finish, over its row and that row's job. Without it: those whose job is over. */
  lost?(now: number): SQL | undefined;
  /** What else the watchdog looks after. */
  upkeep?(app: App): Promise<void>;
  /** A canceled run answers another cancel like the first one; without it that is refused, as it is for other ends. */
  isCanceled?(run: Row): boolean;
  /** Why a run that has ended cannot be canceled, where it is not said as usual. */
  refusal?(run: Row): ApiError;
  /** Its ended runs are deleted by people and by age; these statements do what no foreign key does. */
  deletes?(ids: SQL): SQL[];
}

export const openStatuses = ({ open: { waiting, running } }: Pick<RunKind, "open">): string[] => [
  ...new Set([waiting, running]),
];

export const isOpen = (kind: Pick<RunKind, "open">, { status }: Pick<RunHead, "status">): boolean =>
  openStatuses(kind).includes(status);
