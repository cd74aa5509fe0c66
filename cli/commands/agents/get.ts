import { unwrapBody } from "../../../client/client.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { printFields, printJson, showTime } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { agent: string };

/** Runs `wharf agents get`. */
export const getAgent = async (input: Input, io: Io): Promise<void> => {
  const { client, tenant } = await openSession(input, io);
  const agent = await unwrapBody(
    client.GET("/v1/tenants/{tenant}/agents/{agent}", {
      params: { path: { tenant, agent: input.agent } },
    }),
  );
  if (input.json) return printJson(io, agent);
  printFields(io, [
    ["ID", agent.id],
    ["Name", agent.displayName],
    ["Description", agent.description ?? ""],
    ["Deployed revision", String(agent.deployedRevision ?? "none")],
    ["Latest revision", String(agent.latestRevision ?? "none")],
    ["Created", showTime(agent.createdAt)],
    ["Modified", showTime(agent.modifiedAt)],
  ]);
};
