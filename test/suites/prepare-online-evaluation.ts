import { putOnlineEvaluation } from "../../functions/online-evaluations/routes.ts";
import type { Route } from "../../lib/edge/route.ts";
import type { newOrganization } from "../harness/api.ts";
import { sampleRequest } from "./sample-request.ts";

/** Creates the scorer of the sample request, and the online evaluation of the agent `hello`. */
export const prepareOnlineEvaluation = async (
  own: Awaited<ReturnType<typeof newOrganization>>,
  row: Route,
): Promise<void> => {
  if (row.group !== "online-evaluations") return;
  const scorer = { id: "polite", displayName: "Polite", type: "Expression", value: "true" };
  await own.send("POST", "/scorers", scorer);
  const { body } = sampleRequest(putOnlineEvaluation);
  await own.send("PUT", "/agents/hello/online-evaluation", body);
};
