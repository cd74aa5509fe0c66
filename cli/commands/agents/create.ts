import { unwrapBody } from "../../../client/client.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & {
  agent: string;
  displayName: string | undefined;
  description: string | undefined;
};

/** Runs `wharf agents create`. */
export const createAgent = async (input: Input, io: Io): Promise<void> => {
  const { client, tenant } = await openSession(input, io);
  const { agent: id, displayName = id, description } = input;
  const agent = await unwrapBody(
    client.POST("/v1/tenants/{tenant}/agents", {
      params: { path: { tenant } },
      body: { id, displayName, ...(description !== undefined && { description }) },
    }),
  );
  if (input.json) printJson(io, agent);
  else printMessage(io, `Created ${agent.id}.`);
};
