import { parseSearch } from "../shared/search-params.ts";
import { type ExecutionSearch, parseExecutionSearch } from "./search.ts";

/** Filters with a name. */
export type View = { name: string; search: ExecutionSearch };

const twoDigits = (value: number): string => String(value).padStart(2, "0");

/** Formats the local day of a time as `YYYY-MM-DD`. */
export const toDay = (time: Date): string =>
  `${time.getFullYear()}-${twoDigits(time.getMonth() + 1)}-${twoDigits(time.getDate())}`;

/** Views that everybody has. */
export const builtInViews = (now: Date): readonly View[] => [
  { name: "All executions", search: {} },
  { name: "Failed today", search: { status: "Failed", from: toDay(now) } },
  { name: "Running", search: { status: "Running" } },
  { name: "Waiting", search: { status: "Waiting" } },
  { name: "Cost over $1", search: { minCost: "1" } },
];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Parses the views that a browser stored; anything else is dropped. */
export const parseViews = (stored: string | null): View[] => {
  try {
    const views: unknown = JSON.parse(stored ?? "[]");
    if (!Array.isArray(views)) return [];
    return views.flatMap((view: unknown) =>
      isRecord(view) && typeof view.name === "string" && typeof view.query === "string"
        ? [{ name: view.name, search: parseExecutionSearch(parseSearch(view.query)) }]
        : [],
    );
  } catch {
    return [];
  }
};

/** Formats views to be stored: names with the queries of their addresses. */
export const formatViews = (views: readonly View[]): string =>
  JSON.stringify(
    views.map(({ name, search }) => ({
      name,
      query: new URLSearchParams(
        Object.entries(search).filter(([, value]) => value !== undefined),
      ).toString(),
    })),
  );
