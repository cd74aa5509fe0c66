import type { ExpressionCheck, PiiCheck } from "../../../../client/openapi.ts";
import type { DemoContext } from "./demo.ts";

/** Creates guardrails, one of them with two revisions, and names it for all agents. */
export const createGuardrails = async ({ client, path }: DemoContext): Promise<void> => {
  const guardrails = "/v1/tenants/{tenant}/guardrails";
  const on: PiiCheck["on"] = ["input", "output"];
  const keys: PiiCheck = { id: "keys", type: "Pii", kinds: ["Key"], on, action: "block" };
  const body = { id: "privacy", displayName: "Privacy", checks: [keys] };
  await client.POST(guardrails, { params: { path }, body });
  const mail: PiiCheck = { ...keys, id: "addresses", kinds: ["Email", "Phone"], action: "mask" };
  await client.PUT(`${guardrails}/{guardrail}`, {
    params: { path: { ...path, guardrail: "privacy" } },
    body: { checks: [keys, mail] },
  });
  const length: ExpressionCheck = {
    ...{ id: "length", type: "Expression", value: "$length(value) > 10000" },
    ...{ on: ["output"], action: "flag" },
  };
  await client.POST(guardrails, {
    params: { path },
    body: { id: "length", displayName: "Length of answers", checks: [length] },
  });
  await client.PATCH("/v1/tenants/{tenant}", {
    params: { path },
    body: { guardrails: ["privacy"] },
  });
};
