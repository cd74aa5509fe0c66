import { formatOutput } from "../openai/to-response.ts";
import { a2aProblem } from "./problems.ts";
import type { A2aPart } from "./schemas.ts";

/** Media types of the output of an agent. */
export const textType = "text/plain";
export const jsonType = "application/json";

/** Forms of an output that a client accepts. */
export type OutputModes = { text: boolean; json: boolean };

/** All forms, for a client that names none. */
export const everyMode: OutputModes = { text: true, json: true };

/** Reads the media types that a client accepts. Throws 400 where none of them is a form of an output. */
export const readOutputModes = (accepted: readonly string[] | null | undefined): OutputModes => {
  if (!accepted || accepted.length === 0) return everyMode;
  const types = accepted.map((mode) => (mode.split(";", 1)[0] ?? "").trim().toLowerCase());
  const hasAny = types.some((type) => type === "*/*" || type === "*");
  const modes = {
    text: hasAny || types.some((type) => type.startsWith("text/") || type === "text"),
    json: hasAny || types.includes(jsonType) || types.includes("application/*"),
  };
  if (modes.text || modes.json) return modes;
  throw a2aProblem(
    "CONTENT_TYPE_NOT_SUPPORTED",
    `acceptedOutputModes: the agent's output is ${textType} or ${jsonType}.`,
  );
};

/** Returns the part with the output of an execution: a text, or its JSON value. Undefined without an output. */
export const toOutputPart = (
  output: unknown,
  modes: OutputModes = everyMode,
): A2aPart | undefined => {
  if (output === null || output === undefined) return undefined;
  const isText = modes.text && (typeof output === "string" || !modes.json);
  return isText
    ? { text: formatOutput(output), mediaType: textType }
    : { data: output, mediaType: jsonType };
};
