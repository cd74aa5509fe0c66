import { validationFailed } from "../../platform/http/problems.ts";
import type { ExecutionSelection } from "./list-executions.ts";

/** Reads the range of start times from the query parameters of a list. Throws 400 for an empty one. */
export const toStartRange = ({
  startTime: from,
  endTime: to,
}: {
  startTime?: number | undefined;
  endTime?: number | undefined;
}): Pick<ExecutionSelection, "from" | "to"> => {
  if (from !== undefined && to !== undefined && from > to) {
    throw validationFailed([{ pointer: "query/startTime", detail: "must not be after endTime" }]);
  }
  return { from, to };
};
