import * as z from "zod";
import type { Json } from "../../values/json/json.ts";
import { StepError } from "../step-error.ts";
import type { Approvers } from "./waits.ts";

const texts = z.array(z.string().min(1).max(320)).max(50).nullish();

/** Members of a step, or of its tool, that say who may decide; their texts may have expressions. */
export const approverMembers = {
  approvers: z
    .object({
      users: texts,
      roles: z.array(z.enum(["Owner", "Editor", "Viewer"])).nullish(),
      emails: texts,
      chat: z.object({ connectorId: z.string(), conversationId: z.string().max(1_000) }).nullish(),
    })
    .nullish(),
  allowStarter: z.boolean().nullish(),
};

const Evaluated = approverMembers.approvers.transform((given): Approvers => {
  const { users, roles, emails, chat } = given ?? {};
  return {
    ...(users && { users }),
    ...(roles && { roles }),
    ...(emails && { emails }),
    ...(chat && { chat }),
  };
});

/** Reads evaluated approvers. Throws a StepError for other values. */
export const readApprovers = (value: Json): Approvers => {
  const parsed = Evaluated.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = ["approvers", ...(issue?.path ?? [])].join(".");
  throw new StepError("execution-failed", `"${place}" of the approval: ${issue?.message}.`);
};
