import { unwrapBody } from "../../../client/client.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage, printTable } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & {
  webhook: string;
  delivery: string;
  subscription: string | undefined;
};

/** Runs `wharf webhooks replay`. */
export const replayDelivery = async (input: Input, io: Io): Promise<void> => {
  const { webhook, delivery, subscription } = input;
  const { client, tenant } = await openSession(input, io);
  const replay = await unwrapBody(
    client.POST("/v1/tenants/{tenant}/webhooks/{webhook}/deliveries/{delivery}:replay", {
      params: { path: { tenant, webhook, delivery } },
      body: subscription === undefined ? {} : { subscriptionId: subscription },
    }),
  );
  if (input.json) return printJson(io, replay);
  if (replay.runs.length === 0) return printMessage(io, "The webhook has no subscribers.");
  const rows = replay.runs.map((run) => [run.subscriptionId, run.executionId ?? "none"]);
  printTable(io, ["SUBSCRIPTION", "EXECUTION"], rows);
};
