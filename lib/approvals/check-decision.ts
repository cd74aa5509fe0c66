import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { checkArguments } from "../engine/tools/check-arguments.ts";
import type { ApprovalItem } from "../executions/approvals/approval-store.ts";
import type { TenantId } from "../platform/db/tenant-id.ts";
import { withKnownNames } from "../platform/http/nearest-name.ts";
import { type ValidationIssue, validationFailed } from "../platform/http/problems.ts";
import { ProcessorBudget } from "../platform/sandbox/processor-budget.ts";
import { processorLimits } from "../platform/sandbox/processor-limits.ts";
import { checkInputs } from "../values/json/check-inputs.ts";
import { buildPointer, type Json, type JsonObject } from "../values/json/json.ts";
import type { DecideApprovalBody } from "./schemas.ts";

/** Bytes of JSON: an approval is one item, with the decisions of several people. */
const maxFieldsBytes = 8_192;
const maxArgumentsBytes = 65_536;

/** The action that one person decides alone. */
export const rejectAction = "reject";

const Arguments = z.custom<JsonObject>();

/** A decision that an approval allows. `arguments`: undefined to keep those of the call. */
export type CheckedDecision = {
  action: string;
  fields: Record<string, Json>;
  comment: string | null;
  arguments: JsonObject | undefined;
};

/** Checks a decision against its approval, and adds defaults of fields. Throws 400. */
export const checkDecision = async (
  tenantId: TenantId,
  item: Pick<ApprovalItem, "actions" | "fields" | "kind" | "arguments" | "argumentsSchema">,
  body: DecideApprovalBody,
): Promise<CheckedDecision> => {
  const { actions, fields, kind } = item;
  const errors: ValidationIssue[] = [];
  const ids = actions.map(({ id }) => id);
  if (!ids.includes(body.action)) {
    errors.push({
      pointer: "/action",
      detail: withKnownNames("is not an action of the approval", body.action, ids),
    });
  }
  const names = fields.map(({ name }) => name);
  const given = body.fields ?? {};
  for (const name of Object.keys(given).filter((member) => !names.includes(member))) {
    const detail =
      names.length > 0
        ? withKnownNames("is not a field of the approval", name, names)
        : "is not a field of the approval, which has none";
    errors.push({ pointer: buildPointer("fields", name), detail });
  }
  errors.push(...checkSize("/fields", given, maxFieldsBytes));
  if (body.arguments && kind !== "Tool") {
    const detail = "is only for the approval of a tool call";
    errors.push({ pointer: "/arguments", detail });
  }
  errors.push(...checkSize("/arguments", body.arguments, maxArgumentsBytes));
  const processor = new ProcessorBudget(tenantId, processorLimits.requestMs);
  // A rejection needs no values.
  const asked =
    body.action === rejectAction ? fields.map((field) => ({ ...field, required: false })) : fields;
  const replaced = body.arguments ? Arguments.parse(body.arguments) : undefined;
  if (errors.length === 0) errors.push(...(await findWrongArguments(item, replaced, processor)));
  const checked = errors.length > 0 ? undefined : await checkInputs(asked, given, processor);
  if (checked?.ok) {
    return {
      action: body.action,
      fields: { ...checked.values },
      comment: body.comment ?? null,
      arguments: replaced,
    };
  }
  for (const { pointer, detail } of checked?.errors ?? []) {
    errors.push({ pointer: pointer.replace(/^\/input/, "/fields"), detail });
  }
  throw validationFailed(errors.slice(0, 50));
};

/** Finds what the tool refuses of replaced arguments. Values as they were shown, which may be masked, are right. */
const findWrongArguments = async (
  { arguments: shown, argumentsSchema }: Pick<ApprovalItem, "arguments" | "argumentsSchema">,
  replaced: JsonObject | undefined,
  processor: ProcessorBudget,
): Promise<ValidationIssue[]> => {
  if (!replaced || !argumentsSchema) return [];
  const isChanged = (name: string) =>
    !Object.hasOwn(replaced, name) || !isDeepStrictEqual(replaced[name], shown?.[name]);
  const changed = Object.fromEntries(Object.entries(replaced).filter(([name]) => isChanged(name)));
  const { required } = argumentsSchema;
  const names = Array.isArray(required) ? required.map(String).filter(isChanged) : [];
  const problems = await checkArguments(
    { ...argumentsSchema, required: names },
    changed,
    processor,
  );
  return problems.map(({ pointer, detail }) => ({
    pointer: `${buildPointer("arguments")}${pointer}`,
    detail,
  }));
};

const checkSize = (pointer: string, value: unknown, most: number): ValidationIssue[] =>
  value && Buffer.byteLength(JSON.stringify(value)) > most
    ? [{ pointer, detail: `may have at most ${most} bytes of JSON` }]
    : [];
