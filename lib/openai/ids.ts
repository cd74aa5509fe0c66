import type { ExecutionKey } from "../executions/record/keys.ts";
import { ChosenId } from "../platform/http/ids.ts";
import { Problem } from "../platform/http/problems.ts";

/** Names an execution: the id of its response contains its agent, by which records are stored. */
export type ResponseKey = Pick<ExecutionKey, "agentId" | "executionId">;

/** Formats the name of an execution, which the ids of responses and completions have. */
const formatName = ({ agentId, executionId }: ResponseKey): string =>
  `${executionId.replaceAll("-", "")}_${agentId}`;

/** Returns the id of an execution's response. */
export const formatResponseId = (key: ResponseKey): string => `resp_${formatName(key)}`;

/** Returns the id of an execution's chat completion. */
export const formatCompletionId = (key: ResponseKey): string => `chatcmpl-${formatName(key)}`;

/** Returns the id of a message of an execution's response. */
export const formatMessageId = (key: ResponseKey, index: number): string =>
  `msg_${index}_${formatName(key)}`;

const form = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_(.+)$/;

const parseName = (name = ""): ResponseKey | undefined => {
  const [, ...parts] = form.exec(name) ?? [];
  const { data: agentId } = ChosenId.safeParse(parts.pop());
  return agentId === undefined ? undefined : { agentId, executionId: parts.join("-") };
};

/** Returns the execution of a response's id; undefined for another text. */
export const parseResponseId = (id: string): ResponseKey | undefined =>
  parseName(/^resp_(.+)$/.exec(id)?.[1]);

/** Returns the execution of a message's id; undefined for another text. */
export const parseMessageId = (id: string): ResponseKey | undefined =>
  parseName(/^msg_\d+_(.+)$/.exec(id)?.[1]);

/** An agent, and its revision where the caller named one. */
export type NamedAgent = { agentId: string; revision: number | undefined };

const modelForm = /^([^@]+)(?:@([1-9]\d{0,8}))?$/;

/** Reads the agent that `model` names. Throws 404 for a name that no agent can have. */
export const parseModel = (model: string): NamedAgent => {
  const [, name, revision] = modelForm.exec(model) ?? [];
  const { data: agentId } = ChosenId.safeParse(name);
  if (agentId === undefined) throw noModel(model);
  return { agentId, revision: revision === undefined ? undefined : Number(revision) };
};

/** Formats the revision of an agent that ran. */
export const formatModel = (execution: { agentId: string; agentRevision: number }): string =>
  `${execution.agentId}@${execution.agentRevision}`;

/** 404, with the code of OpenAI, for a model that is not an agent of the tenant, or not a revision of one. */
export const noModel = (model: string): Problem =>
  new Problem("not-found", `The model ${JSON.stringify(model.slice(0, 200))} does not exist.`, {
    members: { param: "model", code: "model_not_found" },
  });

/** 404 for a response that does not exist, or that the caller may not read. */
export const noResponse = (id: string, param: "response_id" | "previous_response_id"): Problem =>
  new Problem("not-found", `There is no response ${JSON.stringify(id.slice(0, 200))}.`, {
    members: { param },
  });
