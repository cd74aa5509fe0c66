import * as assets from "../../functions/assets/routes.ts";
import { testEventDestination } from "../../functions/event-destinations/routes.ts";
import type { Route } from "../../lib/edge/route.ts";

const sources = "test/executions/vendors/sources.test.ts";

/**
 * Operations whose sample request makes the product call a service outside, which no test does. Each is named
 * with the test that calls it with a stand-in for that service and checks the declared response.
 */
export const testsWithStandIn: ReadonlyMap<string, string> = new Map([
  [assets.estimateJiraAssets.operation, sources],
  [assets.estimateZendeskAssets.operation, sources],
  [assets.estimateNotionAssets.operation, sources],
  [assets.estimateGoogleDriveAssets.operation, sources],
  [testEventDestination.operation, "test/executions/alerts.test.ts"],
]);

/** Whether a row's sample request makes the product call a service outside. */
export const callsOutside = ({ operation }: Route): boolean => testsWithStandIn.has(operation);
