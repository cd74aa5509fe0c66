import type { ConfiguredIntegration } from "../integration.ts";
import { createAgentTools } from "./agent-tools.ts";
import { a2aParameters } from "./config-parameters.ts";

/** Integration `a2a`: a remote agent that speaks the Agent2Agent protocol 1.0. */
export const a2aIntegration: ConfiguredIntegration = {
  id: "a2a",
  displayName: "Agent2Agent",
  description: "A remote agent as a tool, over the A2A protocol 1.0.",
  parameters: a2aParameters,
  listsWithToken: false,
  tools: createAgentTools,
};
