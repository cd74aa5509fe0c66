import * as z from "zod";
import { rotateMcpKey } from "../../functions/integration-configs/routes.ts";
import type { Route } from "../../lib/edge/route.ts";
import type { newOrganization } from "../harness/api.ts";

/** An integration config that the sample requests speak of, as path parameters; it has a key where one is rotated. */
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
