import * as assets from "../../functions/assets/routes.ts";
import {
  beginConsent,
  finishConsent,
  refreshConnection,
} from "../../functions/connections/routes.ts";
import { testEventDestination } from "../../functions/event-destinations/routes.ts";
import type { Route } from "../../lib/edge/route.ts";

const sources = "test/executions/vendors/sources.test.ts";

/**
 * Operations with a sample request that would call an external service, with the test that calls
 * them against a fake and checks the declared response.
 */
export const testsWithStandIn: ReadonlyMap<string, string> = new Map([
  [assets.estimateJiraAssets.operation, sources],
  [assets.estimateZendeskAssets.operation, sources],
  [assets.estimateNotionAssets.operation, sources],
  [assets.estimateGoogleDriveAssets.operation, sources],
  ...[beginConsent, finishConsent, refreshConnection].map(
    ({ operation }) => [operation, "test/api/connections.test.ts"] as const,
  ),
  [testEventDestination.operation, "test/executions/alerts.test.ts"],
]);

/** Returns whether a row's sample request would call an external service. */
export const callsOutside = ({ operation }: Route): boolean => testsWithStandIn.has(operation);
