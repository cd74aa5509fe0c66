import { configuredIds } from "../../engine/tools/configured-integrations.ts";
import { didYouMean } from "../../platform/http/nearest-name.ts";
import { registrarIds } from "../../vendors/registry/ids.ts";

/** Ids of the integrations of the catalog. */
const integrationIds: readonly string[] = ["system", ...configuredIds, ...registrarIds];

/** Returns why an id names no integration; undefined when it does. */
export const describeUnknownIntegration = (id: string): string | undefined => {
  if (integrationIds.includes(id)) return undefined;
  const detail = `there is no integration "${id.slice(0, 128)}"`;
  return `${didYouMean(detail, id, integrationIds)} (known: ${integrationIds.join(", ")})`;
};
