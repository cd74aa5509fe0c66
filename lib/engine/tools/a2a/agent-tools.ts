import { randomBytes } from "node:crypto";
import { newUuid } from "../../../platform/runtime/runtime.ts";
import { waitWithTimer } from "../../../platform/runtime/wait.ts";
import { isJsonObject, type JsonObject } from "../../../values/json/json.ts";
import { ParameterDescriptor } from "../../../values/json/parameters.ts";
import { parseJson } from "../../../values/json/parse-json.ts";
import type { IntegrationContext, ToolConfig } from "../integration.ts";
import { type Tool, type ToolContext, ToolError, type ToolParameters } from "../tool.ts";
import { type AgentCallOptions, readRemoteTask, sendToAgent } from "./call-agent.ts";
import { findRemoteAgent, type RemoteAgent } from "./remote-agent.ts";
import { isUnfinished, toMessageResult, toTaskResult } from "./task-result.ts";
import type { RemoteTask } from "./wire.ts";

const maxDescriptionLength = 4_000;
const firstPauseMs = 250;
const maxPauseMs = 5_000;

/** Creates the tools of a config's agent: to send it a message, and to read a task of it. Throws ToolError and UpstreamError. */
export const createAgentTools = async (
  config: ToolConfig,
  context: IntegrationContext,
): Promise<readonly Tool[]> => {
  const agent = await findRemoteAgent(config, context);
  const { outgoing } = context;
  return [createSendTool(agent, outgoing), createReadTool(agent, outgoing)];
};

const toDescriptors = (parameters: readonly object[]): ParameterDescriptor[] =>
  parameters.map((parameter, index) => ParameterDescriptor.parse({ index, ...parameter }));

const describeAgent = ({ card }: RemoteAgent): string => {
  const skills = (card.skills ?? []).map(
    ({ name, description }) => `- ${name}${description ? `: ${description}` : ""}`,
  );
  const lines = [
    `Sends a message to the agent "${card.name}".`,
    ...(card.description ? [card.description] : []),
    ...(skills.length > 0 ? ["Its skills:", ...skills] : []),
  ];
  return lines.join("\n").slice(0, maxDescriptionLength);
};

const acceptsData = ({ card }: RemoteAgent): boolean =>
  (card.defaultInputModes ?? []).some((mode) => /^(application\/(json|\*)|\*\/\*)/i.test(mode));

const createSendTool = (agent: RemoteAgent, outgoing: AgentCallOptions["outgoing"]): Tool => ({
  descriptor: {
    id: "send_message",
    displayName: agent.card.name.slice(0, 200),
    description: describeAgent(agent),
    actionType: "ReadWrite",
    resultType: "Json",
    parametersMetadata: toDescriptors([
      {
        name: "message",
        type: "String",
        required: !acceptsData(agent),
        description: "The text of the message.",
      },
      ...(acceptsData(agent)
        ? [
            {
              name: "data",
              type: "Json",
              jsonSchema: '{"type":"object"}',
              description: "A JSON object that is sent with the text, or in its place.",
            },
          ]
        : []),
      {
        name: "contextId",
        type: "String",
        description: "Continues the conversation of an earlier result with this contextId.",
      },
      {
        name: "taskId",
        type: "String",
        description: "Answers a task with the state input-required.",
      },
    ]),
  },
  run: async (given, context) => {
    const { clock } = context;
    const message = toMessage(given, newUuid({ clock, randomBytes }));
    const options = toOptions(outgoing, context);
    const response = await sendToAgent(agent, message, options);
    if ("message" in response) return toMessageResult(response.message, context.saveFile);
    return finish(agent, response.task, { options, context });
  },
});

const createReadTool = (agent: RemoteAgent, outgoing: AgentCallOptions["outgoing"]): Tool => ({
  descriptor: {
    id: "get_task",
    displayName: `${agent.card.name.slice(0, 200)}: task`,
    description:
      `Reads the result of a task of the agent "${agent.card.name}" that was not done.`.slice(
        0,
        maxDescriptionLength,
      ),
    actionType: "ReadOnly",
    resultType: "Json",
    parametersMetadata: toDescriptors([
      {
        name: "taskId",
        type: "String",
        required: true,
        description: "The taskId of an earlier result.",
      },
    ]),
  },
  run: async ({ taskId = "" }, context) => {
    if (taskId === "") throw new ToolError('The parameter "taskId" is missing.');
    const options = toOptions(outgoing, context);
    const task = await readRemoteTask(agent, taskId, options);
    return finish(agent, task, { options, context });
  },
});

const toOptions = (
  outgoing: AgentCallOptions["outgoing"],
  { signal, clock }: ToolContext,
): AgentCallOptions => ({ outgoing, signal, requestId: newUuid({ clock, randomBytes }) });

/** Builds the message of a call. Throws a ToolError for one without content. */
const toMessage = (given: ToolParameters, messageId: string): JsonObject => {
  const { message, data, contextId, taskId } = given;
  const parsed = data === undefined || data === "" ? undefined : parseJson(data);
  if (parsed && !(parsed.ok && isJsonObject(parsed.value))) {
    throw new ToolError('The parameter "data" must be a JSON object.');
  }
  const parts: JsonObject[] = [
    ...(message ? [{ text: message }] : []),
    ...(parsed?.ok ? [{ data: parsed.value }] : []),
  ];
  if (parts.length === 0) throw new ToolError('The parameter "message" is missing.');
  return {
    messageId,
    role: "ROLE_USER",
    parts,
    ...(contextId && { contextId }),
    ...(taskId && { taskId }),
  };
};

/** Polls a task until it is done, needs something, or the wait of the config is over. */
const finish = async (
  agent: RemoteAgent,
  first: RemoteTask,
  { options, context }: { options: AgentCallOptions; context: ToolContext },
): Promise<JsonObject> => {
  const { clock, signal } = context;
  const start = clock();
  let task = first;
  for (
    let pauseMs = firstPauseMs;
    isUnfinished(task);
    pauseMs = Math.min(2 * pauseMs, maxPauseMs)
  ) {
    const left = start + agent.waitMs - clock();
    if (left <= 0) break;
    await waitWithTimer(Math.min(pauseMs, left), signal);
    signal.throwIfAborted();
    task = await readRemoteTask(agent, task.id, options);
  }
  const waitedMs = clock() - start;
  return toTaskResult(task, { host: agent.url.host, waitedMs, saveFile: context.saveFile });
};
