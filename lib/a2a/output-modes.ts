import { type FilesPlace, type LinkedFile, linkOutputFiles } from "../files/output-files.ts";
import { formatOutput } from "../openai/to-response.ts";
import { acceptsType } from "../values/json/file-value.ts";
import { a2aProblem } from "./problems.ts";
import type { A2aPart } from "./schemas.ts";

/** Media types of the output of an agent. */
export const textType = "text/plain";
export const jsonType = "application/json";

/** Forms of an output that a client accepts. `types`: media types of its files; undefined for any. */
export type OutputModes = { text: boolean; json: boolean; types: readonly string[] | undefined };

/** All forms, for a client that names none. */
export const everyMode: OutputModes = { text: true, json: true, types: undefined };

/** Reads the media types that a client accepts. Throws 400 where none of them is a form of an output. */
export const readOutputModes = (accepted: readonly string[] | null | undefined): OutputModes => {
  if (!accepted || accepted.length === 0) return everyMode;
  const types = accepted.map((mode) => (mode.split(";", 1)[0] ?? "").trim().toLowerCase());
  const hasAny = types.some((type) => type === "*/*" || type === "*");
  const modes = {
    text: hasAny || types.some((type) => type.startsWith("text/") || type === "text"),
    json: hasAny || types.includes(jsonType) || types.includes("application/*"),
    types: hasAny ? undefined : types,
  };
  if (modes.text || modes.json) return modes;
  throw a2aProblem(
    "CONTENT_TYPE_NOT_SUPPORTED",
    `acceptedOutputModes: the agent's output is ${textType} or ${jsonType}.`,
  );
};

/** Returns the parts with the output of an execution: a text or its JSON value, and links to its files. None without an output. */
export const toOutputParts = (
  output: unknown,
  { modes = everyMode, place }: { modes?: OutputModes | undefined; place: FilesPlace },
): A2aPart[] => {
  if (output === null || output === undefined) return [];
  const isText = modes.text && (typeof output === "string" || !modes.json);
  const value = isText
    ? { text: formatOutput(output), mediaType: textType }
    : { data: output, mediaType: jsonType };
  const files = linkOutputFiles(output, place).filter(({ mediaType }) =>
    acceptsType(modes.types, mediaType),
  );
  return [value, ...files.map(toFilePart)];
};

/** Returns the part with a link to a file. */
export const toFilePart = ({ url, name: filename, mediaType }: LinkedFile): A2aPart => ({
  url,
  mediaType,
  filename,
});
