import { unwrapBody } from "../../../client/client.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { printFields, printJson } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & {
  dataset: string;
  example: string;
  datasetVersion: number | undefined;
};

/** Runs `wharf datasets example`. */
export const getExample = async (input: Input, io: Io): Promise<void> => {
  const { client, tenant } = await openSession(input, io);
  const { dataset, example, datasetVersion: version } = input;
  const found = await unwrapBody(
    client.GET("/v1/tenants/{tenant}/datasets/{dataset}/examples/{example}", {
      params: { path: { tenant, dataset, example }, query: { ...(version && { version }) } },
    }),
  );
  if (input.json) return printJson(io, found);
  const { id, split, expected, metadata } = found;
  printFields(io, [
    ["ID", id],
    ...(split === null ? [] : [["Split", split] as const]),
    ["Input", JSON.stringify(found.input, null, 2)],
    ...(expected === null ? [] : [["Expected", JSON.stringify(expected, null, 2)] as const]),
    ...(metadata === null ? [] : [["Metadata", JSON.stringify(metadata, null, 2)] as const]),
  ]);
};
