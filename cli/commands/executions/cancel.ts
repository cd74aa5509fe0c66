import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { agent: string; execution: string };

/** Runs `wharf executions cancel`. */
export const cancelExecution = async (input: Input, io: Io): Promise<void> => {
  const { agent, execution: id } = input;
  const { client, tenant } = await openSession(input, io);
  await client.POST(
    "/v1/tenants/{tenant}/agents/{agent}/execution-records/{executionRecord}:cancel",
    { params: { path: { tenant, agent, executionRecord: id } } },
  );
  if (input.json) printJson(io, { id, cancelled: true });
  else printMessage(io, `Cancelled ${id}.`);
};
