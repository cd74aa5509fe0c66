import { open, rename } from "node:fs/promises";
import { resolve } from "node:path";
import { unwrapBody } from "../../../client/client.ts";
import type { Example } from "../../../client/openapi.ts";
import { iterateItems } from "../../../client/pages.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { progressOn } from "../../progress.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & {
  dataset: string;
  file: string | undefined;
  datasetVersion: number | undefined;
  split: string | undefined;
};

/** Runs `wharf datasets pull`. */
export const pullExamples = async (input: Input, io: Io): Promise<void> => {
  const { dataset, split, file = `${dataset}.jsonl` } = input;
  const { client, tenant } = await openSession(input, io);
  const path = { tenant, dataset };
  const newest = await unwrapBody(
    client.GET("/v1/tenants/{tenant}/datasets/{dataset}", { params: { path } }),
  );
  const version = input.datasetVersion ?? newest.version;
  const query = { version, ...(split !== undefined && { split }) };
  const examples = iterateItems((page) =>
    unwrapBody(
      client.GET("/v1/tenants/{tenant}/datasets/{dataset}/examples", {
        params: { path, query: { ...query, ...page } },
      }),
    ),
  );
  const pulled = await writeLines(resolve(io.cwd, file), examples, io);
  if (input.json) return printJson(io, { dataset, file, version, pulled });
  printMessage(io, `Pulled ${pulled} examples of ${dataset}, version ${version}: ${file}`);
};

/** Writes a file of JSON lines, which replaces an earlier one when it is complete; returns their number. */
const writeLines = async (
  path: string,
  examples: AsyncIterable<Example>,
  io: Io,
): Promise<number> => {
  const progress = progressOn(io);
  const part = `${path}.part`;
  const file = await open(part, "w");
  let written = 0;
  try {
    for await (const example of examples) {
      await file.write(`${JSON.stringify(withoutNulls(example))}\n`);
      written += 1;
      if (written % 200 === 0) progress.show(`Reading… ${written}`);
    }
  } finally {
    progress.clear();
    await file.close();
  }
  await rename(part, path);
  return written;
};

const withoutNulls = (example: Example): Partial<Example> =>
  Object.fromEntries(Object.entries(example).filter(([, value]) => value !== null));
