import { unwrapBody } from "../../../client/client.ts";
import type { Scorer } from "../../../client/openapi.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { listAll } from "../../list.ts";
import { printList, showTime } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { limit: number | undefined };

/** Runs `wharf scorers list`. */
export const listScorers = async (input: Input, io: Io): Promise<void> => {
  const { client, tenant } = await openSession(input, io);
  const items = await listAll(
    (query) =>
      unwrapBody(
        client.GET("/v1/tenants/{tenant}/scorers", { params: { path: { tenant }, query } }),
      ),
    input.limit,
    io,
  );
  printList(io, input, { items, none: "No scorers found.", heading, toRow });
};

const heading = ["ID", "NAME", "TYPE", "MODIFIED"];

const toRow = ({ id, displayName, type, modifiedAt }: Scorer): string[] => [
  id,
  displayName,
  type,
  showTime(modifiedAt),
];
