import { unwrapBody } from "../../../client/client.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { experiment: string };

/** Runs `wharf experiments cancel`. */
export const cancelExperiment = async (input: Input, io: Io): Promise<void> => {
  const { experiment } = input;
  const { client, tenant } = await openSession(input, io);
  const cancelled = await unwrapBody(
    client.POST("/v1/tenants/{tenant}/experiments/{experiment}:cancel", {
      params: { path: { tenant, experiment } },
    }),
  );
  if (input.json) printJson(io, cancelled);
  else printMessage(io, `Cancelled ${cancelled.id}.`);
};
