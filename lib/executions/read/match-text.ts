import { listInlineValues } from "../record/inline-values.ts";
import type { MatchExecution } from "./list-executions.ts";

/**
 * Returns the test for a text, in any case, in a text or number of the input or the output of an execution. Looks at
 * values in the record alone, which costs no call: those that are stored apart from it do not match.
 */
export const matchText = (text: string): MatchExecution => {
  const wanted = text.toLowerCase();
  const wantedJson = JSON.stringify(wanted).slice(1, -1);
  const mayMatch = (json: string): boolean => json.toLowerCase().includes(wantedJson);
  return (_, execution) =>
    listInlineValues(execution, mayMatch).some((value) => hasText(value, wanted));
};

const hasText = (value: unknown, wanted: string): boolean => {
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === "object" && next !== null) {
      for (const member of Object.values(next)) left.push(member);
    } else if (typeof next === "string" || typeof next === "number") {
      if (String(next).toLowerCase().includes(wanted)) return true;
    }
  }
  return false;
};
