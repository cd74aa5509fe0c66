import { UpstreamError } from "../../../platform/outgoing/upstream-error.ts";
import type { Json, JsonObject } from "../../../values/json/json.ts";
import { parseJson } from "../../../values/json/parse-json.ts";
import { type SaveFile, saveContent } from "../save-content.ts";
import { ToolError } from "../tool.ts";
import type { AgentMessage, RemotePart, RemoteTask } from "./wire.ts";

const maxErrorLength = 2_000;
/** Files of one result. More parts have their content as base64. */
const maxFiles = 20;
const prefix = "TASK_STATE_";

/** States in which a task continues without another message. */
const open: readonly string[] = ["SUBMITTED", "WORKING"];
/** Ends without a result, in words. */
const failures: Readonly<Record<string, string>> = {
  FAILED: "failed at",
  CANCELED: "canceled",
  REJECTED: "rejected",
};

const readState = ({ status: { state } }: RemoteTask): string =>
  state.startsWith(prefix) ? state.slice(prefix.length) : state;

/** Returns whether a task continues without another message. */
export const isUnfinished = (task: RemoteTask): boolean => open.includes(readState(task));

/** Returns the result of a message that an agent responded to without a task. */
export const toMessageResult = async (
  { parts, contextId }: AgentMessage,
  saveFile: SaveFile | undefined,
): Promise<JsonObject> => ({
  state: "completed",
  taskId: null,
  contextId: contextId || null,
  output: await toOutput(parts, saveFile),
});

/**
 * Returns the result of a call: the output of a task that is completed, or what an unfinished one needs, with a note that it is
 * not done. Throws a ToolError with the reason of a task that failed, and an UpstreamError for a state that is none of A2A's.
 */
export const toTaskResult = async (
  task: RemoteTask,
  { host, waitedMs, saveFile }: { host: string; waitedMs: number; saveFile: SaveFile | undefined },
): Promise<JsonObject> => {
  const { id, contextId, status, artifacts } = task;
  const state = readState(task);
  const said = status.message ? await toOutput(status.message.parts, saveFile) : null;
  const names = { taskId: id, contextId: contextId || null };
  const failure = failures[state];
  if (failure !== undefined) {
    const reason =
      said === null ? "" : `: ${typeof said === "string" ? said : JSON.stringify(said)}`;
    throw new ToolError(`The agent ${failure} the task ${id}${reason}`.slice(0, maxErrorLength));
  }
  if (state === "COMPLETED") {
    const parts = (artifacts ?? []).flatMap((artifact) => artifact.parts);
    return {
      state: "completed",
      ...names,
      output: parts.length > 0 ? await toOutput(parts, saveFile) : said,
    };
  }
  const note = describeState(state, Math.round(waitedMs / 1_000));
  if (note === undefined) {
    throw new UpstreamError(`${host} responded with a task in an unknown state.`, {
      upstream: host,
    });
  }
  return { state: state.toLowerCase().replaceAll("_", "-"), ...names, message: said, note };
};

/** Says that a task is not done, and what to do; undefined for an unknown state. */
const describeState = (state: string, seconds: number): string | undefined => {
  if (open.includes(state)) {
    return `The agent is not done after ${seconds} seconds: there is no result yet. Read it later with get_task and this taskId. Another message without taskId would start another task.`;
  }
  if (state === "INPUT_REQUIRED") {
    return "The agent is not done: it asks for input, see message. There is no result until it is answered: call send_message with this taskId and contextId. Do not make up an answer that only the user can give.";
  }
  if (state === "AUTH_REQUIRED") {
    return "The agent is not done: it needs an authorization that this tool cannot give, see message. Tell the user; then read the task with get_task and this taskId.";
  }
  return undefined;
};

/** Returns the content of parts: their text, one JSON value, or an array of parts. Null for none. */
const toOutput = async (
  parts: readonly RemotePart[],
  saveFile: SaveFile | undefined,
): Promise<Json> => {
  const [first, ...others] = parts;
  if (!first) return null;
  if (parts.every(({ text }) => text !== undefined)) {
    return parts.map(({ text }) => text).join("\n");
  }
  if (others.length === 0 && first.data !== undefined) return toJson(first.data);
  const binary = parts.filter(({ raw }) => raw !== undefined).slice(0, maxFiles);
  return Promise.all(
    parts.map((part) => toPart(part, binary.includes(part) ? saveFile : undefined)),
  );
};

const toJson = (value: unknown): Json => {
  const parsed = parseJson(JSON.stringify(value ?? null));
  return parsed.ok ? parsed.value : null;
};

const toPart = async (
  { text, data, raw, url, mediaType, filename }: RemotePart,
  saveFile: SaveFile | undefined,
): Promise<Json> => {
  const file =
    raw !== undefined &&
    saveFile &&
    (await saveContent(saveFile, {
      name: filename ?? undefined,
      toolId: "file",
      mediaType: mediaType ?? "",
      content: Buffer.from(raw, "base64"),
    }));
  return {
    ...(text !== undefined && { text }),
    ...(data !== undefined && { data: toJson(data) }),
    ...(raw !== undefined && !file && { base64: raw }),
    ...(url !== undefined && { url }),
    ...(mediaType && { mediaType }),
    ...(filename && { filename }),
    ...file,
  };
};
