import type { ApprovalItem } from "../executions/approvals/approval-store.ts";
import { rejectAction } from "./check-decision.ts";

/** Returns whether an action needs values of fields, which a button cannot give. */
export const needsFields = ({ fields }: Pick<ApprovalItem, "fields">, action: string): boolean =>
  action !== rejectAction &&
  fields.some(({ required, defaultValue }) => required && defaultValue === null);
