import { isJsonObject, type JsonObject } from "../../../values/json/json.ts";
import { ToolError } from "../../tools/tool.ts";
import type { FlowAsset, FoundKnowledge, Passage } from "../knowledge.ts";
import { searchKnowledge } from "../search-knowledge.ts";
import type { StepContext } from "../step-context.ts";
import type { Callable } from "./callable.ts";

const passagesPerCall = 8;
const maxNamed = 50;

/** Assets that a model may search. */
export type SearchedAssets = {
  /** All of them. */
  readonly assets: readonly FlowAsset[];
  /** Ids of those that may be missing. */
  readonly optional: readonly string[];
};

/**
 * Returns the tool `search_knowledge`, which lets a model search the assets of a Prompt and its skills. `cite` receives
 * the passages that each call found.
 */
export const knowledgeAsCallable = (
  { assets, optional }: SearchedAssets,
  context: StepContext,
  cite: (found: readonly Passage[]) => void,
): Callable => {
  const names = assets.slice(0, maxNamed).map(({ id, displayName }) => displayName ?? id);
  const titles = new Map(assets.map(({ id, displayName }) => [id, displayName ?? id]));
  return {
    key: "Knowledge",
    name: "search_knowledge",
    description: `Searches ${names.join(", ")} for passages about a question. Cite the documents that your response is based on, with their links.`,
    parameters: {
      type: "object",
      properties: {
        query: {
          type: "string",
          description: "The question, or words that a matching passage contains.",
        },
        documentName: { type: "string", description: "Narrows the search to one document." },
      },
      required: ["query"],
      additionalProperties: false,
    },
    span: { type: "Tool", name: "search_knowledge" },
    isReadOnly: true,
    check: async () => {},
    call: async (given, { signal }) => {
      const { query, documentName } = isJsonObject(given) ? given : {};
      if (typeof query !== "string" || query.trim() === "") {
        throw new ToolError("The argument query must be a text.");
      }
      const filter: JsonObject = typeof documentName === "string" ? { documentName } : {};
      const assetIds = assets.map(({ id }) => id);
      const search = { assetIds, query, topK: passagesPerCall, filter, optional };
      const found = await searchKnowledge(search, { ...context, signal });
      cite(found.passages);
      return { output: toOutput(found, titles) };
    },
  };
};

/** Returns the passages, followed by the assets that have none because they are missing. */
const toOutput = (
  { passages, unavailable = [] }: Pick<FoundKnowledge, "passages" | "unavailable">,
  titles: ReadonlyMap<string, string>,
): JsonObject[] => {
  const toSource = (assetId: string) => titles.get(assetId) ?? assetId;
  return [
    ...passages.map(({ assetId, documentName, link, text }) => ({
      source: toSource(assetId),
      documentName,
      link,
      text,
    })),
    ...unavailable.map(({ assetId, detail }) => ({
      source: toSource(assetId),
      error: `The asset ${detail}.`,
    })),
  ];
};
