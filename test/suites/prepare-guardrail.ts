import type { Route } from "../../lib/edge/route.ts";
import type { newOrganization } from "../harness/api.ts";
import { sampleParams } from "./sample-request.ts";

/** Creates the guardrail of the sample requests. */
export const prepareGuardrail = async (
  own: Awaited<ReturnType<typeof newOrganization>>,
  row: Route,
): Promise<void> => {
  const { guardrail } = sampleParams(row);
  if (guardrail === undefined) return;
  await own.send("POST", "/guardrails", {
    id: guardrail,
    displayName: "Privacy",
    checks: [{ id: "pii", type: "Pii", on: ["output"], action: "mask" }],
  });
};
