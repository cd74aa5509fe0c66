import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { unwrapBody } from "../../../client/client.ts";
import type { Dataset } from "../../../client/openapi.ts";
import { ProblemError } from "../../../client/problem-error.ts";
import {
  type Imported,
  importExamples,
} from "../../../lib/evaluation/dataset/import/import-examples.ts";
import type { ImportFormat } from "../../../lib/evaluation/dataset/import/imported.ts";
import { maxExamplesPerRequest } from "../../../lib/evaluation/dataset/limits.ts";
import type { GlobalInput } from "../../command.ts";
import { failed } from "../../exit.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { progressOn } from "../../progress.ts";
import { openSession, type Session } from "../../session.ts";

type Input = GlobalInput & {
  dataset: string;
  file: string | undefined;
  format: ImportFormat | undefined;
  expected: string | undefined;
  input: string | undefined;
  split: string | undefined;
};

/** Runs `wharf datasets push`. */
export const pushExamples = async (input: Input, io: Io): Promise<void> => {
  const { dataset, split, file = `${dataset}.jsonl` } = input;
  const imported = importExamples(await readText(resolve(io.cwd, file), file), input);
  const { format, problems, places, skipped } = imported;
  if (problems.length > 0) throw failed(describe(file, problems));
  const items = imported.items.map((item) => ({ ...(split !== undefined && { split }), ...item }));
  const session = await openSession(input, io);
  let state = await getOrCreate(session, dataset, io);
  const progress = progressOn(io);
  try {
    for (const { from, to } of splitBatches(items)) {
      progress.show(`Pushing… ${from}`);
      const place = { dataset, file, places: places.slice(from, to) };
      state = await add(session, items.slice(from, to), place);
    }
  } finally {
    progress.clear();
  }
  const { version, exampleCount } = state;
  const pushed = items.length;
  if (input.json) {
    return printJson(io, { dataset, format, pushed, skipped, version, exampleCount });
  }
  const left = skipped > 0 ? `, ${skipped} left out` : "";
  printMessage(
    io,
    `Pushed ${pushed} examples of ${file} (${format})${left} to ${dataset}: version ${version}, ${exampleCount} examples.`,
  );
};

const readText = async (path: string, file: string): Promise<string> => {
  try {
    return await readFile(path, "utf8");
  } catch {
    throw failed(`The file ${file} can't be read.`);
  }
};

const shownProblems = 10;

const describe = (file: string, problems: Imported["problems"]): string => {
  const lines = problems
    .slice(0, shownProblems)
    .map(({ place, detail }) => [file, place].filter(Boolean).join(", ").concat(`: ${detail}`));
  const more = problems.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
};

type State = Pick<Dataset, "version" | "exampleCount">;

const getOrCreate = async (
  { client, tenant }: Session,
  dataset: string,
  io: Io,
): Promise<State> => {
  const path = { tenant, dataset };
  try {
    return await unwrapBody(
      client.GET("/v1/tenants/{tenant}/datasets/{dataset}", { params: { path } }),
    );
  } catch (error) {
    // A tenant that does not exist is not found either; creating the dataset shows which.
    if (!(error instanceof ProblemError) || error.status !== 404) throw error;
  }
  const created = await unwrapBody(
    client.POST("/v1/tenants/{tenant}/datasets", {
      params: { path: { tenant } },
      body: { id: dataset, displayName: dataset },
    }),
  );
  printMessage(io, `Created the dataset ${dataset}.`);
  return created;
};

type Items = Imported["items"];

/** Adds a batch. An error names the place in the file. */
const add = async (
  { client, tenant }: Session,
  items: Items,
  { dataset, file, places }: { dataset: string; file: string; places: readonly string[] },
): Promise<State> => {
  try {
    return await unwrapBody(
      client.POST("/v1/tenants/{tenant}/datasets/{dataset}/examples", {
        params: { path: { tenant, dataset } },
        body: { items },
      }),
    );
  } catch (error) {
    const problems = error instanceof ProblemError ? placed(error, places) : [];
    throw problems.length > 0 ? failed(describe(file, problems)) : error;
  }
};

const placed = ({ fields }: ProblemError, places: readonly string[]): Imported["problems"] =>
  fields.flatMap(({ pointer, detail }) => {
    const [, at, rest = ""] = /^\/items\/(\d+)(.*)$/s.exec(pointer) ?? [];
    const place = at === undefined ? undefined : places[Number(at)];
    return place === undefined ? [] : [{ place, detail: `${rest} ${detail}`.trim() }];
  });

/** Bytes of a request's examples: below the limit of a body, 1 MiB. */
const batchBytes = 1_000_000;

/** Yields ranges of items that fit into one request. */
function* splitBatches(items: Items): Generator<{ from: number; to: number }> {
  let from = 0;
  let bytes = 0;
  for (const [at, item] of items.entries()) {
    const size = Buffer.byteLength(JSON.stringify(item)) + 1;
    if (at > from && (at - from === maxExamplesPerRequest || bytes + size > batchBytes)) {
      yield { from, to: at };
      from = at;
      bytes = 0;
    }
    bytes += size;
  }
  if (items.length > from) yield { from, to: items.length };
}
