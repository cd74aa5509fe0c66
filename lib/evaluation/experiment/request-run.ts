import type { Send } from "../../platform/queue/send.ts";
import type { RunExperimentMessage } from "../messages.ts";
import type { ExperimentKey } from "./keys.ts";

/** Asks for an experiment to be driven. */
export const requestRun = (
  send: Send,
  { tenantId, experimentId }: ExperimentKey,
): Promise<void> => {
  const message: RunExperimentMessage = { type: "run-experiment", tenantId, experimentId };
  return send("experiments", tenantId, message);
};
