import type { ExecutionStatus } from "../../../client/openapi.ts";
import { isDay } from "../shared/search-params.ts";
import { statuses } from "./statuses.ts";

/** Filters of executions in the address. Days are `YYYY-MM-DD` in the browser's zone, both inclusive. */
export type ExecutionSearch = {
  agent?: string | undefined;
  status?: ExecutionStatus | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** Text of the error. */
  error?: string | undefined;
  /** Text of the input or the output. */
  text?: string | undefined;
  /** Least cost in US dollars, as it is typed. */
  minCost?: string | undefined;
  /** `NAME=VALUE`, `NAME>=NUMBER` or `NAME<=NUMBER`. */
  score?: string | undefined;
  /** `NAME=VALUE`. */
  metadata?: string | undefined;
};

const textNames = ["agent", "error", "text", "minCost", "score", "metadata"] as const;

/** Parses the filters of an address; others are dropped. */
export const parseExecutionSearch = (search: Record<string, unknown>): ExecutionSearch => {
  const { status, from, to } = search;
  const known = statuses.find((candidate) => candidate === status);
  const texts = textNames.flatMap((name) => {
    const value = search[name];
    return typeof value === "string" && value !== "" ? [[name, value] as const] : [];
  });
  return {
    ...Object.fromEntries(texts),
    ...(known !== undefined && { status: known }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
  };
};

/** Reports whether any filter but the agent is set. */
export const isFiltered = ({ agent: _, ...filters }: ExecutionSearch): boolean =>
  Object.values(filters).some((value) => value !== undefined);

/** Returns the first millisecond of a day. */
export const startOfDay = (day: string): number => new Date(`${day}T00:00`).getTime();

/** Returns the last millisecond of a day, which may have 23 or 25 hours. */
export const endOfDay = (day: string): number => {
  const next = new Date(startOfDay(day));
  next.setDate(next.getDate() + 1);
  return next.getTime() - 1;
};

const operators = { ">=": "minScore", "<=": "maxScore", "=": "score" } as const;

/** Returns the query parameter of a filter by score; none while it is incomplete. */
const toScoreQuery = (text: string): Record<string, string> => {
  const [, name = "", operator = "", value = ""] = /^([^=<>]+)(>=|<=|=)(.+)$/.exec(text) ?? [];
  const prefix = Object.entries(operators).find(([sign]) => sign === operator)?.[1];
  return prefix === undefined ? {} : { [`${prefix}.${name.trim()}`]: value.trim() };
};

/** Returns the query parameter of a filter by metadata; none while it is incomplete. */
const toMetadataQuery = (text: string): Record<string, string> => {
  const at = text.indexOf("=");
  return at < 1 ? {} : { [`metadata.${text.slice(0, at).trim()}`]: text.slice(at + 1).trim() };
};

/** Returns the query parameters of the API for the filters of an address, but for the agent and the last day. */
export const toQuery = ({
  status,
  from,
  error,
  text,
  minCost,
  score,
  metadata,
}: ExecutionSearch) => {
  const cost = minCost === undefined || minCost.trim() === "" ? Number.NaN : Number(minCost);
  return {
    ...(status && { status }),
    ...(from !== undefined && { startTime: startOfDay(from) }),
    ...(error !== undefined && { error: error.slice(0, 200) }),
    ...(text !== undefined && { text: text.slice(0, 200) }),
    ...(cost >= 0 && { minCost: cost }),
    ...(score !== undefined && toScoreQuery(score)),
    ...(metadata !== undefined && toMetadataQuery(metadata)),
  };
};
