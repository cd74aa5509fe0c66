import { didYouMean } from "../../platform/http/nearest-name.ts";
import { buildPointer } from "../../values/json/json.ts";
import type { FlowAsset } from "./knowledge.ts";
import type { FlowProblem } from "./step-type.ts";

const notNamed = "is not the id of an asset of the revision";

/** Returns the problems of a step's `assets`: those that the revision does not name. */
export const checkAssetIds = (
  ids: readonly string[],
  assets: readonly FlowAsset[],
): FlowProblem[] => {
  const known = new Set(assets.map(({ id }) => id));
  return ids.flatMap((id, at) =>
    known.has(id)
      ? []
      : [{ pointer: buildPointer("assets", at), detail: didYouMean(notNamed, id, known) }],
  );
};
