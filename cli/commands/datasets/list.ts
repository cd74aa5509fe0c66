import { unwrapBody } from "../../../client/client.ts";
import type { Dataset } from "../../../client/openapi.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { listAll } from "../../list.ts";
import { printList, showTime } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { limit: number | undefined };

/** Runs `wharf datasets list`. */
export const listDatasets = async (input: Input, io: Io): Promise<void> => {
  const { client, tenant } = await openSession(input, io);
  const items = await listAll(
    (query) =>
      unwrapBody(
        client.GET("/v1/tenants/{tenant}/datasets", { params: { path: { tenant }, query } }),
      ),
    input.limit,
    io,
  );
  printList(io, input, { items, none: "No datasets found.", heading, toRow });
};

const heading = ["ID", "NAME", "VERSION", "EXAMPLES", "MODIFIED"];

const toRow = (dataset: Dataset): string[] => [
  dataset.id,
  dataset.displayName,
  String(dataset.version),
  String(dataset.exampleCount),
  showTime(dataset.modifiedAt),
];
