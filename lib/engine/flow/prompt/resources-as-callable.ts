import { withKnownNames } from "../../../platform/http/nearest-name.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../values/json/json.ts";
import { StepError } from "../../step-error.ts";
import { ToolError } from "../../tools/tool.ts";
import type { KnowledgePart, KnowledgeRead } from "../knowledge.ts";
import type { StepContext } from "../step-context.ts";
import type { Callable } from "./callable.ts";

/** Characters of a result; three bytes per character fit in the result of a tool. */
const maxPartLength = 30_000;
/** Resources that the schema and errors list. */
const maxListed = 200;

/** Returns the tool `read_resource`, by which a model reads assets of its skills, part by part. */
export const resourcesAsCallable = (
  assetIds: readonly string[],
  { knowledge, guard }: Pick<StepContext, "knowledge" | "guard">,
): Callable => ({
  key: "Resources",
  name: "read_resource",
  description:
    "Reads the text of a resource of a skill. A long text comes in parts: a result says with which offset the next one begins.",
  parameters: buildSchema(assetIds),
  span: { type: "Tool", name: "read_resource" },
  isReadOnly: true,
  check: async (given) => void toRequest(given, assetIds),
  call: async (given) => {
    const request = toRequest(given, assetIds);
    if (!knowledge) throw new StepError("execution-failed", "There are no assets to read here.");
    const part = toOutput(await knowledge.read(request), request);
    return { output: await guard("retrieval", part) };
  },
});

const buildSchema = (assetIds: readonly string[]): JsonObject => ({
  type: "object",
  properties: {
    resource: {
      type: "string",
      description: "The resource, as the skill lists it.",
      ...(assetIds.length > maxListed ? {} : { enum: [...assetIds] }),
    },
    document: {
      type: "string",
      description: "Name or id of a document, for a resource with several documents.",
    },
    offset: { type: "integer", minimum: 0, description: "Where to begin. Default: 0." },
  },
  required: ["resource"],
  additionalProperties: false,
});

const toRequest = (given: Json, assetIds: readonly string[]): KnowledgeRead => {
  const { resource, document, offset } = isJsonObject(given) ? given : {};
  if (typeof resource !== "string") throw new ToolError("The argument resource must be a text.");
  if (!assetIds.includes(resource)) {
    const detail = `There is no resource ${JSON.stringify(resource.slice(0, 1_024))}`;
    throw new ToolError(withKnownNames(detail, resource, assetIds.slice(0, maxListed)));
  }
  const start = Number(offset ?? 0);
  if (!Number.isSafeInteger(start) || start < 0) {
    throw new ToolError("The argument offset must be a number from 0.");
  }
  const name = typeof document === "string" && document !== "" ? document : undefined;
  return { assetId: resource, document: name, offset: start, maxLength: maxPartLength };
};

const toOutput = (part: KnowledgePart, { offset }: KnowledgeRead): Json => {
  const { nextOffset } = part;
  if ("documents" in part) {
    const documents = part.documents.map(({ id, name }) => ({ id, name }));
    return { note: "Read one of these documents by its name or id.", documents, nextOffset };
  }
  const { text, length } = part;
  if (length === 0) return "[The document has no text.]";
  if (nextOffset !== null) {
    return `${text}\n[Characters ${offset} to ${nextOffset} of ${length}. Read on with offset ${nextOffset}.]`;
  }
  return offset === 0 ? text : `${text}\n[The end of ${length} characters.]`;
};
