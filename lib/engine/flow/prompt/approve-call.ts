import { createHash } from "node:crypto";
import * as z from "zod";
import {
  isJsonObject,
  isRecord,
  type Json,
  type JsonObject,
  setMember,
} from "../../../values/json/json.ts";
import { checkArguments } from "../../tools/check-arguments.ts";
import { ToolError } from "../../tools/tool.ts";
import { readApprovers } from "../approvers.ts";
import type { StepContext } from "../step-context.ts";
import type { WaitEnd, WaitRequest } from "../waits.ts";
import type { OfferedTool } from "./offer-tools.ts";
import type { ToolApproval } from "./prompt-tool.ts";

/** Milliseconds for a decision. */
const decisionMs = 259_200_000;
/** Bytes of JSON of the arguments of a call that is approved, and of their schema. */
const maxArgumentsBytes = 65_536;
const maxSchemaBytes = 8_192;

/**
 * Returns the position of the first of a tool's approvals that a call needs; null for none. Throws a ToolError for
 * arguments that the tool refuses: they need no approval.
 */
export const findApproval = async (
  tool: OfferedTool,
  given: Json,
  context: StepContext,
): Promise<number | null> => {
  for (const [at, { approval }] of tool.approvals.entries()) {
    if (!(await asks(approval, { tool, given, context }))) continue;
    await tool.check(given);
    if (countBytes(given) <= maxArgumentsBytes) return at;
    const detail = `A person must approve the call. Its arguments may have at most ${maxArgumentsBytes} bytes.`;
    throw new ToolError(detail);
  }
  return null;
};

type Call = { readonly tool: OfferedTool; readonly given: Json; readonly context: StepContext };

/** A call and the position of the approval that it needs. */
export type AskedCall = Call & { readonly at: number };

const asks = async (
  approval: ToolApproval["approval"],
  { tool, given, context }: Call,
): Promise<boolean> => {
  if (approval === true) return true;
  if (approval === "writes") return !tool.isReadOnly;
  try {
    return (await context.evaluate(approval, { arguments: given })) !== false;
  } catch {
    context.signal.throwIfAborted();
    return true;
  }
};

/** Builds the request for a person's approval of a call. */
export const requestApproval = async ({
  tool,
  given,
  at,
  context,
}: AskedCall): Promise<WaitRequest> => {
  const { approvers, allowStarter } = tool.approvals[at] ?? {};
  const evaluated = await context.evaluate(approvers ?? null, { arguments: given });
  return {
    kind: "Approval",
    until: context.clock() + decisionMs,
    approval: {
      kind: "Tool",
      title: `Call ${tool.span.name}`,
      message: null,
      data: null,
      fields: [],
      actions: [
        { id: "approve", label: "Approve" },
        { id: "reject", label: "Reject" },
      ],
      approvers: readApprovers(evaluated),
      minApprovals: 1,
      allowStarter: allowStarter ?? true,
      toolId: tool.span.name,
      arguments: isJsonObject(given) ? given : {},
      argumentsHash: hashCall(tool, given),
      argumentsSchema: countBytes(tool.parameters) <= maxSchemaBytes ? tool.parameters : null,
    },
  };
};

const Decision = z.looseObject({
  action: z.string(),
  comment: z.string().nullish(),
  arguments: z.custom<JsonObject>(isRecord).nullish(),
});

/** The arguments of an approved call, and whether the approver replaced those of the model. */
export type ApprovedCall = { readonly given: Json; readonly isReplaced: boolean };

/**
 * Returns the arguments with which a call is made after the end of its wait. Throws a ToolError for a call that is not
 * made: rejected, not decided in time, or with other arguments than were shown.
 */
export const readDecision = async (
  { answer, argumentsHash }: WaitEnd,
  { tool, given, context }: Call,
): Promise<ApprovedCall> => {
  if (answer === undefined) throw refused("The call was not approved in time.");
  const { success, data } = Decision.safeParse(answer);
  if (!success || data.action !== "approve") {
    const comment = data?.comment;
    throw refused(
      comment ? `A person rejected the call: ${comment}` : "A person rejected the call.",
    );
  }
  if (argumentsHash !== hashCall(tool, given)) {
    throw new ToolError("The call was not made: its arguments are not those that were approved.");
  }
  if (!data.arguments) return { given, isReplaced: false };
  const replaced = fillMasked(data.arguments, { shown: context.hide(given), given });
  const [problem] = await checkArguments(tool.parameters, replaced, context.processor);
  if (problem) {
    const wrong = `${problem.pointer || "the arguments"}: ${problem.detail}`;
    throw new ToolError(`A person replaced the arguments of the call by wrong ones: ${wrong}`);
  }
  return { given: replaced, isReplaced: true };
};

const refused = (reason: string): ToolError => new ToolError(`${reason} Do not call it again.`);

/** Replaces values that were shown masked, and came back as they were shown. */
const fillMasked = (value: Json, { shown, given }: { shown: Json; given: Json }): Json => {
  if (value === shown) return given;
  if (Array.isArray(value)) {
    return value.map((item: Json, at) =>
      fillMasked(item, selectMember({ shown, given }, String(at))),
    );
  }
  if (!isJsonObject(value)) return value;
  const filled: Record<string, Json> = {};
  for (const [name, member] of Object.entries(value)) {
    setMember(filled, name, fillMasked(member, selectMember({ shown, given }, name)));
  }
  return filled;
};

const selectMember = ({ shown, given }: { shown: Json; given: Json }, name: string) => ({
  shown: readMember(shown, name),
  given: readMember(given, name),
});

const readMember = (value: Json, name: string): Json => {
  if (Array.isArray(value)) return value[Number(name)] ?? null;
  return isJsonObject(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null;
};

const hashCall = ({ key }: OfferedTool, given: Json): string =>
  createHash("sha256")
    .update(JSON.stringify([key, given]))
    .digest("hex");

const countBytes = (value: Json): number => Buffer.byteLength(JSON.stringify(value));
