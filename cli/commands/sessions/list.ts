import { unwrapBody } from "../../../client/client.ts";
import type { Session } from "../../../client/openapi.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { listAll } from "../../list.ts";
import { printList, showTime } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & {
  agent: string;
  endUser: string | undefined;
  limit: number | undefined;
};

/** Runs `wharf sessions list`. */
export const listSessions = async (input: Input, io: Io): Promise<void> => {
  const { agent, endUser, limit = 50 } = input;
  const filter = endUser === undefined ? {} : { endUserId: endUser };
  const { client, tenant } = await openSession(input, io);
  const items = await listAll(
    (page) =>
      unwrapBody(
        client.GET("/v1/tenants/{tenant}/agents/{agent}/sessions", {
          params: { path: { tenant, agent }, query: { ...filter, ...page } },
        }),
      ),
    limit,
    io,
  );
  printList(io, input, { items, none: "No sessions found.", heading, toRow });
};

const heading = ["ID", "STATUS", "END USER", "TURNS", "CHANGED", "EXPIRES"];

const toRow = (session: Session): string[] => [
  session.id,
  session.status,
  session.endUserId ?? "",
  String(session.turnCount),
  showTime(session.modifiedAt),
  showTime(session.expiresAt),
];
