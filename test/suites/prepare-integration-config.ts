import * as z from "zod";
import { rotateMcpKey } from "../../functions/integration-configs/routes.ts";
import type { Route } from "../../lib/edge/route.ts";
import type { newOrganization } from "../harness/api.ts";

/** Creates an integration config, with a key for the row that rotates it; returns path parameters. */
export const prepareIntegrationConfig = async (
  own: Awaited<ReturnType<typeof newOrganization>>,
  row: Route,
): Promise<Record<string, string>> => {
  if (row.group !== "integration-configs") return {};
  const created = await own.send("POST", "/integration-configs", {
    integrationId: "github",
    exposeMcp: row.operation === rotateMcpKey.operation,
  });
  return { config: z.object({ id: z.string() }).parse(created.body).id };
};
