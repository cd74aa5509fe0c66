import { unwrapBody } from "../../../client/client.ts";
import type { Agent } from "../../../client/openapi.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { listAll } from "../../list.ts";
import { printList, showTime } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { limit: number | undefined };

/** Runs `wharf agents list`. */
export const listAgents = async (input: Input, io: Io): Promise<void> => {
  const { client, tenant } = await openSession(input, io);
  const items = await listAll(
    (query) =>
      unwrapBody(
        client.GET("/v1/tenants/{tenant}/agents", { params: { path: { tenant }, query } }),
      ),
    input.limit,
    io,
  );
  printList(io, input, { items, none: "No agents found.", heading, toRow });
};

const heading = ["ID", "NAME", "DEPLOYED", "LATEST", "MODIFIED"];

const toRow = (agent: Agent): string[] => [
  agent.id,
  agent.displayName,
  String(agent.deployedRevision ?? "none"),
  String(agent.latestRevision ?? "none"),
  showTime(agent.modifiedAt),
];
