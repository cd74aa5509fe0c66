import { unwrapBody } from "../../../client/client.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { config: string; revision: number | undefined };

/** Runs `wharf integrations publish`. */
export const publishConfig = async (input: Input, io: Io): Promise<void> => {
  const { config, revision } = input;
  const { client, tenant } = await openSession(input, io);
  const published = await unwrapBody(
    client.POST("/v1/tenants/{tenant}/integration-configs/{config}:publish", {
      params: { path: { tenant, config } },
      body: revision === undefined ? {} : { revision },
    }),
  );
  if (input.json) printJson(io, published);
  else printMessage(io, `Published revision ${published.publishedRevision} of ${published.id}.`);
};
