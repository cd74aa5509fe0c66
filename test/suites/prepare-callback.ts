import { receiveCallback } from "../../functions/callbacks/routes.ts";
import type { Route } from "../../lib/edge/route.ts";
import type { newOrganization } from "../harness/api.ts";
import { startToolApi } from "../harness/tool-api.ts";

type Organization = Awaited<ReturnType<typeof newOrganization>>;

/** Deploys an agent that sends the address of its step `done` to a URL, and then waits for it. */
export const deployCaller = async (own: Organization, url: string): Promise<void> => {
  await own.deployAgent("caller", {
    flow: {
      steps: [
        {
          id: "send",
          type: "Tool",
          integrationId: "system",
          toolId: "http_request",
          parameters: { method: "POST", url, body: "{% callbacks.done %}" },
        },
        { id: "done", type: "Wait", callback: true },
        { id: "out", type: "Output", value: "{% steps.done.output %}" },
      ],
      edges: [
        { source: "send", target: "done" },
        { source: "done", target: "out" },
      ],
    },
  });
};

/** Starts an execution that waits for the callback that a row's path ends with. */
export const prepareCallback = async (
  own: Organization,
  row: Route,
): Promise<Record<string, string>> => {
  if (row.operation !== receiveCallback.operation) return {};
  const api = await startToolApi();
  await deployCaller(own, api.url);
  await own.try("POST", "/agents/caller:execute", { body: {} });
  await api.close();
  const [, callbackToken = ""] = (api.requests[0]?.body ?? "").split("/callbacks/");
  return { callbackToken };
};
