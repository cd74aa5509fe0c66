import * as z from "zod";
import type { Deployed } from "../agents/revision/load-deployed.ts";
import type { CompletedBody } from "../executions/run/execute-agent.ts";
import type { SessionBody } from "../executions/schemas.ts";
import { assignFiles, type FilePlaces } from "../files/assign-files.ts";
import { type ValidationIssue, validationFailed } from "../platform/http/problems.ts";
import { isJsonObject, type JsonObject } from "../values/json/json.ts";
import type { ParameterDescriptor } from "../values/json/parameters.ts";
import { parseJson } from "../values/json/parse-json.ts";
import { findAnswerSteps, hasJsonOutput, isOwnSchema } from "./answer-steps.ts";
import type { AgentQuestion } from "./read-messages.ts";

/** A format of the output, as both endpoints have it. */
export type Format = { type: string; [member: string]: unknown };

/** A request for an execution, before its agent was read. */
export type AskedBody = {
  /** Name of the member with the messages. */
  member: "input" | "messages";
  question: AgentQuestion;
  metadata: Record<string, string> | null | undefined;
  /** Session that it continues, with the parameter that names it; undefined for none. */
  session: { id: string; param: string } | undefined;
  endUserId: string | null | undefined;
  /** Most output tokens of a call of a model; undefined for none. */
  maxOutputTokens: number | undefined;
  /** The format, and a pointer to it. */
  format: { value: Format | null | undefined; pointer: string };
  /** Parameters that the response repeats when it is read later; undefined for none. */
  repeated?: JsonObject | undefined;
};

/** Body of an execution, and the parts of the request that its files are from. */
export type BuiltBody = { body: CompletedBody; places: FilePlaces };

/** Builds the body of an execution for the revision that runs. Throws 400. */
export const buildBody = (
  { revision }: Deployed,
  { member, question, metadata, session, endUserId, maxOutputTokens, format, repeated }: AskedBody,
): BuiltBody => {
  const { parametersMetadata, useSession } = revision.content;
  checkFormat(findAnswerSteps(revision), format);
  if (session && !useSession) {
    const detail = "is not supported: the agent has no sessions";
    throw validationFailed([{ pointer: `/${session.param}`, detail }]);
  }
  const { instructions, systemText, messages, text, files, earlierFiles: earlier } = question;
  const history = parametersMetadata.find(
    ({ name, type }) => name === "history" && type !== "File",
  );
  const given = {
    ...toInput(parametersMetadata, { member, text }),
    ...(history && messages.length > 0 && { history: toHistory(history, messages) }),
  };
  const assigned = assignFiles(parametersMetadata, { files, earlier, given });
  if ("refused" in assigned) {
    const { refused, detail } = assigned;
    throw validationFailed([{ pointer: refused.pointer, detail }]);
  }
  if (assigned.missing) {
    throw validationFailed([
      { pointer: `/${member}`, detail: describeMissing(assigned.missing, member) },
    ]);
  }
  const input = { ...given, ...assigned.input };
  const context = {
    ...(instructions !== undefined && { instructions }),
    ...(systemText !== undefined && { systemText }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    messages: history ? [] : messages,
  };
  const hasContext = context.messages.length > 0 || Object.keys(context).length > 1;
  const chosen: SessionBody = {
    ...(session && { id: session.id }),
    ...(typeof endUserId === "string" && { endUserId }),
  };
  const body = {
    input,
    ...(metadata && { metadata }),
    ...(useSession && { session: chosen }),
    ...(hasContext && { context }),
    ...(repeated && { repeated }),
  };
  return { body, places: assigned.places };
};

const fileParts = {
  input: '"input_image", "input_file" or "input_audio"',
  messages: '"image_url", "file" or "input_audio"',
} as const;

/** Describes what a client sends to an agent that requires a file. */
const describeMissing = (
  { name, accept }: ParameterDescriptor,
  member: AskedBody["member"],
): string => {
  const types = accept?.length ? ` (${accept.join(", ")})` : "";
  return `has no file for the input ${JSON.stringify(name)} of the agent${types}, which is required: add a part of the type ${fileParts[member]} to the last message of the user`;
};

/** Returns the input of an agent that takes the text of a message: `message`, or the one String; undefined for none. */
export const findTextInput = (
  parameters: readonly ParameterDescriptor[],
): ParameterDescriptor | undefined => {
  const texts = parameters.filter(
    ({ name, type, secret }) => type === "String" && !secret && name !== "history",
  );
  const message = parameters.find(({ name, type }) => name === "message" && type !== "File");
  return message ?? (texts.length === 1 ? texts[0] : undefined);
};

/** Returns the inputs of an agent for a text: `message`, or the one String, or else the text is JSON of the inputs. */
const toInput = (
  parameters: readonly ParameterDescriptor[],
  { member, text }: { member: string; text: string | undefined },
): JsonObject => {
  if (text === undefined) return {};
  const taken = findTextInput(parameters);
  if (taken) return { [taken.name]: text };
  const parsed = parseJson(text);
  if (parsed.ok && isJsonObject(parsed.value)) return parsed.value;
  const detail =
    'must be a JSON object with the inputs of the agent, which has neither an input "message" nor exactly one of the type String';
  throw validationFailed([{ pointer: `/${member}`, detail }]);
};

/** Returns earlier messages as the input `history`: one line for each where it is a String. */
const toHistory = ({ type }: ParameterDescriptor, messages: AgentQuestion["messages"]) =>
  type === "String"
    ? messages.map(({ role, text }) => `${role}: ${text}`).join("\n")
    : messages.map(({ role, text }) => ({ role, text }));

const JsonSchemaFormat = z.union([
  z
    .object({ json_schema: z.object({ schema: z.unknown() }) })
    .transform((given) => given.json_schema),
  z.object({ schema: z.unknown() }),
]);

const checkFormat = (
  answers: ReturnType<typeof findAnswerSteps>,
  { value, pointer }: AskedBody["format"],
): void => {
  if (!value || value.type === "text") return;
  const wrong = (detail: string): ValidationIssue[] => [{ pointer, detail }];
  if (value.type === "json_object") {
    if (hasJsonOutput(answers)) return;
    throw validationFailed(wrong("is not supported: the output of the agent is not JSON"));
  }
  if (value.type !== "json_schema") {
    throw validationFailed(
      wrong('has a type that is none of "text", "json_schema", "json_object"'),
    );
  }
  const { data } = JsonSchemaFormat.safeParse(value);
  if (isOwnSchema(answers, data?.schema)) return;
  throw validationFailed(wrong("has another JSON Schema than the output of the agent"));
};
