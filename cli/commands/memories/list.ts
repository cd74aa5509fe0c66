import { unwrapBody } from "../../../client/client.ts";
import type { Memory } from "../../../client/openapi.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { listAll } from "../../list.ts";
import { printList, showTime } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { agent: string; namespace: string; limit: number | undefined };

/** Runs `wharf memories list`. */
export const listMemories = async (input: Input, io: Io): Promise<void> => {
  const { agent, namespace, limit = 50 } = input;
  const { client, tenant } = await openSession(input, io);
  const items = await listAll(
    (page) =>
      unwrapBody(
        client.GET("/v1/tenants/{tenant}/agents/{agent}/memories", {
          params: { path: { tenant, agent }, query: { namespace, ...page } },
        }),
      ),
    limit,
    io,
  );
  printList(io, input, { items, none: "No memories found.", heading, toRow });
};

const heading = ["TEXT", "CREATED", "EXPIRES", "ID"];

const toRow = ({ text, createdAt, expiresAt, id }: Memory): string[] => [
  text,
  showTime(createdAt),
  showTime(expiresAt),
  id,
];
