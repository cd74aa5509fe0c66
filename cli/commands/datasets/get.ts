import { unwrapBody } from "../../../client/client.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { printFields, printJson, showTime } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { dataset: string };

/** Runs `wharf datasets get`. */
export const getDataset = async (input: Input, io: Io): Promise<void> => {
  const { client, tenant } = await openSession(input, io);
  const { dataset } = input;
  const found = await unwrapBody(
    client.GET("/v1/tenants/{tenant}/datasets/{dataset}", {
      params: { path: { tenant, dataset } },
    }),
  );
  if (input.json) return printJson(io, found);
  const { description, inputSchema } = found;
  printFields(io, [
    ["ID", found.id],
    ["Name", found.displayName],
    ...(description === null ? [] : [["Description", description] as const]),
    ["Version", String(found.version)],
    ["Examples", String(found.exampleCount)],
    ["Modified", showTime(found.modifiedAt)],
    ...(inputSchema === null
      ? []
      : [["Input schema", JSON.stringify(inputSchema, null, 2)] as const]),
  ]);
};
