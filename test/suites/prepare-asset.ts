import { estimateAssets, listAssets, listSourceTypes } from "../../functions/assets/routes.ts";
import { testEventDestination } from "../../functions/event-destinations/routes.ts";
import type { Route } from "../../lib/edge/route.ts";

const alone: readonly string[] = [
  estimateAssets.operation,
  listAssets.operation,
  listSourceTypes.operation,
];

/**
 * Whether a row's sample request is answered by calling a service outside, which no test does: the source of a
 * typed estimate, or an event destination. What such a row answers with a stand-in for it is tested in
 * test/executions.
 */
export const callsOutside = ({ group, operation }: Route): boolean =>
  (group === "assets" && !alone.includes(operation)) ||
  operation === testEventDestination.operation;
