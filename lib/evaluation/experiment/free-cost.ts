import { dollars } from "../../engine/models/sums.ts";
import type { ExperimentItem } from "./items.ts";

/** Returns the US dollars of `maxCost` that are neither spent nor reserved; null without `maxCost`. */
export const freeCost = ({
  maxCost,
  totalCost,
  reserved,
}: Pick<ExperimentItem, "maxCost" | "totalCost" | "reserved">): number | null => {
  if (maxCost === null) return null;
  const committed = Object.values(reserved).reduce((sum, cost) => sum + cost, totalCost);
  return dollars(maxCost - committed);
};
