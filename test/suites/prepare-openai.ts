import * as z from "zod";
import type { Route } from "../../lib/edge/route.ts";
import type { newOrganization } from "../harness/api.ts";

const Created = z.object({ id: z.string() });

/** Creates a response of the agent `hello`, in the background; returns path parameters. */
export const prepareOpenAi = async (
  own: Awaited<ReturnType<typeof newOrganization>>,
  row: Route,
): Promise<Record<string, string>> => {
  if (!row.path.includes("{response}")) return {};
  const body = { model: "hello", input: "Ada", background: true };
  const created = await own.send("POST", "/openai/responses", body);
  return { response: Created.parse(created.body).id };
};
