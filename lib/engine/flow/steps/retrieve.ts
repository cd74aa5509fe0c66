import * as z from "zod";
import { formatValue, isJsonObject } from "../../../values/json/json.ts";
import { StepError } from "../../step-error.ts";
import { checkAssetIds } from "../check-asset-ids.ts";
import { toCitations } from "../knowledge.ts";
import { searchKnowledge } from "../search-knowledge.ts";
import { defineStep } from "../step-type.ts";

const defaultTopK = 5;

/** Searches assets of the revision; outputs the best passages first. */
export const retrieveStep = defineStep({
  type: "Retrieve",
  shape: {
    assets: z.array(z.string().min(1)).min(1).max(200).nullish(),
    query: z.string().min(1),
    topK: z.int().min(1).max(50).nullish(),
    filter: z.record(z.string(), z.json()).nullish(),
  },
  waits: true,
  templated: () => ["query", "filter"],
  check: ({ assets: ids }, { assets }) =>
    ids || assets.length > 0
      ? checkAssetIds(ids ?? [], assets)
      : [{ pointer: "/assets", detail: "finds none: the revision has no assets" }],
  async run(step, context, { assets }) {
    const query = formatValue(await context.evaluate(step.query));
    const filter = step.filter ? await context.evaluate(step.filter) : {};
    if (!isJsonObject(filter))
      throw new StepError("execution-failed", "The filter is not an object.");
    const assetIds = step.assets ?? assets.map(({ id }) => id);
    const topK = step.topK ?? defaultTopK;
    context.note({ input: { query, assets: assetIds, topK, filter } });
    const { passages } = await searchKnowledge({ assetIds, query, topK, filter }, context);
    context.note({ citations: toCitations(passages) });
    return {
      output: passages.map(({ assetId, documentName, text, score, link }) => ({
        assetId,
        documentName,
        text,
        score,
        link,
      })),
    };
  },
});
