import * as z from "zod";
import type { Route } from "../../lib/edge/route.ts";
import type { newOrganization } from "../harness/api.ts";

/** Publishes a config that exposes MCP; returns path parameters. */
export const prepareMcp = async (
  own: Awaited<ReturnType<typeof newOrganization>>,
  row: Route,
): Promise<Record<string, string>> => {
  if (row.group !== "mcp") return {};
  const body = { integrationId: "system", exposeMcp: true };
  const created = await own.send("POST", "/integration-configs", body);
  const { id: config } = z.object({ id: z.string() }).parse(created.body);
  await own.send("POST", `/integration-configs/${config}:publish`);
  return { config };
};
