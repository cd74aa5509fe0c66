import type { ApprovalItem } from "../../executions/approvals/approval-store.ts";
import { isRecord } from "../../values/json/json.ts";
import type { ParameterDescriptor } from "../../values/json/parameters.ts";
import type { DecideApprovalBody } from "../schemas.ts";

/** The members of a submitted form. */
export type Form = Readonly<Record<string, string>>;

/** Names of the form's inputs. */
export const formNames = {
  action: "action",
  comment: "comment",
  field: (name: string) => `field.${name}`,
} as const;

/** Reads the decision of a form. Texts that are no value of their field's type are left for its check. */
export const toDecision = (
  { fields }: Pick<ApprovalItem, "fields">,
  form: Form,
): DecideApprovalBody => {
  const read = (name: string): string => (Object.hasOwn(form, name) ? (form[name] ?? "") : "");
  const given = fields.flatMap((field) => {
    const text = read(formNames.field(field.name)).replaceAll("\r\n", "\n");
    return text === "" ? [] : [[field.name, toValue(field, text)] as const];
  });
  const comment = read(formNames.comment).replaceAll("\r\n", "\n").slice(0, maxCommentLength);
  return {
    action: read(formNames.action),
    fields: Object.fromEntries(given),
    comment: comment.trim() === "" ? null : comment,
  };
};

const maxCommentLength = 1_000;

const toValue = ({ type }: ParameterDescriptor, text: string): unknown => {
  switch (type) {
    case "Integer":
    case "Float":
      return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
    case "Boolean":
      return text === "true" || text === "false" ? text === "true" : text;
    case "Json":
      return parseJson(text);
    default:
      return text;
  }
};

const maxNesting = 100;

const parseJson = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text);
    return isShallow(value, maxNesting) ? value : text;
  } catch {
    return text;
  }
};

const isShallow = (value: unknown, levels: number): boolean => {
  if (!Array.isArray(value) && !isRecord(value)) return true;
  return levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1));
};
