import type { Route } from "../../lib/edge/route.ts";
import type { newOrganization } from "../harness/api.ts";
import { sampleParams } from "./sample-request.ts";

/** Creates the scorer of the sample requests. */
export const prepareScorer = async (
  own: Awaited<ReturnType<typeof newOrganization>>,
  row: Route,
): Promise<void> => {
  const { scorer } = sampleParams(row);
  if (scorer === undefined) return;
  await own.send("POST", "/scorers", { id: scorer, displayName: "Correct", type: "Exact" });
};
