import * as z from "zod";
import type { Route } from "../../lib/edge/route.ts";
import type { newOrganization } from "../harness/api.ts";

const Executed = z.object({ executionId: z.string() });

/** Starts an execution of the agent `hello` in the background; returns path parameters. */
export const prepareA2a = async (
  own: Awaited<ReturnType<typeof newOrganization>>,
  row: Route,
): Promise<Record<string, string>> => {
  if (!row.path.includes("{task}")) return {};
  const started = await own.try("POST", "/agents/hello:execute", {
    body: { input: {} },
    headers: { Prefer: "respond-async" },
  });
  return { task: Executed.parse(started.body).executionId };
};
