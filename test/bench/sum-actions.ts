import type { StorageCalls } from "../../infra/local/access/call-counts.ts";

/** Adds up a function's calls, by default to all services; `service` is a prefix such as `sqs:`. */
export const sumActions = (
  calls: StorageCalls,
  operation: string,
  { service = "", but = [] }: { service?: string; but?: readonly string[] } = {},
): number =>
  Object.entries(calls)
    .filter(([name]) => name.endsWith(operation))
    .flatMap(([, actions]) => Object.entries(actions))
    .filter(([action]) => action.startsWith(service) && !but.includes(action))
    .reduce((sum, [, count]) => sum + count, 0);
