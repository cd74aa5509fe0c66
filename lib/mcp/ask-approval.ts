import * as z from "zod";
import { rejectAction } from "../approvals/check-decision.ts";
import { describeRequest } from "../approvals/describe-request.ts";
import { findAddress } from "../approvals/find-address.ts";
import { requireDecider } from "../approvals/require-decider.ts";
import { DecideApprovalBody } from "../approvals/schemas.ts";
import { buildToolSchema } from "../engine/flow/prompt/tool-schema.ts";
import type { ApprovalItem } from "../executions/approvals/approval-store.ts";
import type { Database } from "../platform/db/database.ts";
import { problemRegistry } from "../platform/http/problem-registry.ts";
import { Problem, validationFailed } from "../platform/http/problems.ts";
import { toIssuePointer, zodErrorMap } from "../platform/http/zod-error-map.ts";
import { hasScope } from "../tenancy/collaborator/may.ts";
import { isJsonObject, type JsonObject } from "../values/json/json.ts";
import type { AgentCaller } from "./agent-caller.ts";

/** Names of what a form asks for besides the fields of its approval. */
const ownNames = ["action", "comment"] as const;

/** Types of values that a form of the protocol can ask for. */
const formTypes: readonly unknown[] = ["string", "integer", "number", "boolean"];

/**
 * Builds the request to a client for the decision of an approval: a form for a caller who may decide it, otherwise the console's
 * page where others do, or the address in the API of a deployment without a console. A form asks for plain values only; no field of an approval is secret.
 */
export const toInputRequest = async (
  db: Database,
  {
    caller,
    item,
  }: {
    caller: Pick<AgentCaller, "tenant" | "principal" | "baseUrl" | "consoleUrl">;
    item: ApprovalItem;
  },
): Promise<JsonObject> => {
  const message = describeRequest(item).text;
  const form = toFormFields(item);
  if (form && (await mayDecide(db, caller, item))) {
    return {
      method: "elicitation/create",
      params: { mode: "form", message, requestedSchema: toForm(item, form) },
    };
  }
  const { baseUrl, consoleUrl, tenant } = caller;
  const place = consoleUrl === null ? `${baseUrl}/v1/tenants` : `${consoleUrl}t`;
  const url = findAddress(item, caller.principal) ?? `${place}/${tenant.id}/approvals/${item.id}`;
  return {
    method: "elicitation/create",
    params: { mode: "url", elicitationId: item.id, message, url },
  };
};

const mayDecide = async (
  db: Database,
  { tenant, principal }: Pick<AgentCaller, "tenant" | "principal">,
  item: ApprovalItem,
): Promise<boolean> => {
  if (!hasScope(principal, "agents:execute")) return false;
  try {
    await requireDecider(db, { tenant, item, decider: { type: "caller", principal } });
    return true;
  } catch (error) {
    if (error instanceof Problem && problemRegistry[error.slug].status === 403) return false;
    throw error;
  }
};

/** Schemas of the fields of a form by their names, and the names of those that an approval needs. */
type FormFields = { properties: JsonObject; required: readonly string[] };

/**
 * Returns the schemas of an approval's fields; undefined where a form cannot ask for it: for a field that it has no type for, for
 * the consent at another page, and where its message does not show everything that is decided.
 */
const toFormFields = (item: ApprovalItem): FormFields | undefined => {
  const { fields } = item;
  if (item.authorizeUrl !== undefined || !describeRequest(item).isWhole) return undefined;
  const { properties = null, required } = buildToolSchema(fields);
  if (!isJsonObject(properties)) return undefined;
  const isPlain = fields.every(({ name }) => {
    const { [name]: schema = null } = properties;
    return !isOwnName(name) && isJsonObject(schema) && formTypes.includes(schema.type);
  });
  const needed = Array.isArray(required) ? required.map(String) : [];
  return isPlain ? { properties, required: needed } : undefined;
};

const isOwnName = (name: string): boolean => ownNames.some((own) => own === name);

/** The actions that a form of the protocol stands for itself: accepted or declined. */
const formActions: Readonly<Record<string, string>> = {
  approve: "Approve",
  [rejectAction]: "Reject",
};

/** Returns the action that an accepted form decides where a declined one decides the other; undefined where people choose by labels. */
const findOnlyAction = ({ actions }: Pick<ApprovalItem, "actions">): string | undefined => {
  const isPlain =
    actions.length === 2 && actions.every(({ id, label }) => formActions[id] === label);
  return isPlain ? actions.find(({ id }) => id !== rejectAction)?.id : undefined;
};

// Without an action, the client itself asks whether the form is accepted or declined. A rejection needs no values, so that a
// form with a choice requires none.
const toForm = (item: ApprovalItem, { properties, required }: FormFields): JsonObject => {
  const hasChoice = findOnlyAction(item) === undefined;
  const needed = hasChoice ? ["action"] : required;
  const action = {
    type: "string",
    title: "Decision",
    oneOf: item.actions.map(({ id, label }) => ({ const: id, title: label })),
  };
  return {
    type: "object",
    properties: {
      ...(hasChoice && { action }),
      ...properties,
      comment: { type: "string", title: "Comment", maxLength: 1_000 },
    },
    ...(needed.length > 0 && { required: [...needed] }),
  };
};

const InputResponse = z.object({
  action: z.enum(["accept", "decline", "cancel"]),
  content: z.record(z.string(), z.unknown()).optional(),
});

/**
 * Reads the decision in a client's response: that of an accepted form, or a rejection where the form was declined. Undefined for
 * none, as after a page was opened or the request was dismissed. Throws 400 for anything else.
 */
export const readInputResponse = (
  item: ApprovalItem,
  response: unknown,
): DecideApprovalBody | undefined => {
  const { action, content } = parse(InputResponse, response);
  // Of a page, the response says only whether it was opened.
  if (!toFormFields(item)) return undefined;
  if (action === "decline") {
    const reject = item.actions.find(({ id }) => id === rejectAction);
    return reject && { action: reject.id };
  }
  if (action === "cancel" || !content) return undefined;
  const { action: chosen = findOnlyAction(item), comment } = content;
  const names = new Set(item.fields.map(({ name }) => name));
  const fields = Object.fromEntries(Object.entries(content).filter(([name]) => names.has(name)));
  const hasComment = comment !== undefined && comment !== "";
  return parse(DecideApprovalBody, { action: chosen, ...(hasComment && { comment }), fields });
};

const parse = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> => {
  const { data, error } = schema.safeParse(value, { error: zodErrorMap });
  if (!error) return data;
  throw validationFailed(
    error.issues
      .slice(0, 50)
      .map(({ path, message }) => ({ pointer: toIssuePointer(path), detail: message })),
  );
};
