import { unwrapBody } from "../../../client/client.ts";
import type { AssetDocument } from "../../../client/openapi.ts";
import { ProblemError } from "../../../client/problem-error.ts";
import { uploadDocument } from "../../../client/upload-document.ts";
import type { GlobalInput } from "../../command.ts";
import { type ExitCode, exitCodes } from "../../exit.ts";
import type { Io } from "../../io.ts";
import { type NamedFile, namedFiles } from "../../knowledge/read-files.ts";
import { printJson, printMessage, printTable } from "../../output.ts";
import { pauses } from "../../pauses.ts";
import { problemLine } from "../../problem-line.ts";
import { type Progress, progressOn } from "../../progress.ts";
import { openSession, type Session } from "../../session.ts";

type Input = GlobalInput & {
  asset: string;
  files: readonly string[];
  name: string | undefined;
  wait: boolean;
};

type Refusal = { name: string; error: string };

/** Runs `wharf knowledge upload`. */
export const uploadFiles = async (input: Input, io: Io): Promise<ExitCode> => {
  const files = await namedFiles(input.files, input.name, io);
  const session = await openSession(input, io);
  const progress = progressOn(io);
  const refused: Refusal[] = [];
  const refuse = (refusal: Refusal): void => {
    refused.push(refusal);
    progress.clear();
    printMessage(io, `wharf: ${refusal.name}: ${refusal.error}`);
  };
  try {
    const sent = await sendAll(session, input.asset, files, { progress, refuse });
    const items = input.wait ? await awaitAll(session, input.asset, sent, progress) : sent;
    for (const { name, error } of items) if (error !== null) refuse({ name, error });
    progress.clear();
    if (input.json) printJson(io, { items, refused });
    else if (items.length > 0) printTable(io, heading, items.map(toRow));
  } finally {
    progress.clear();
  }
  return refused.length > 0 ? exitCodes.failed : exitCodes.done;
};

type Reports = { progress: Progress; refuse: (refusal: Refusal) => void };

/** Sends one file after the other. A refusal that concerns this file alone does not end it. */
const sendAll = async (
  { client, tenant }: Session,
  asset: string,
  files: readonly NamedFile[],
  { progress, refuse }: Reports,
): Promise<AssetDocument[]> => {
  const sent: AssetDocument[] = [];
  for (const [at, { name, read }] of files.entries()) {
    progress.show(`Uploading ${at + 1} of ${files.length}: ${name}`);
    try {
      sent.push(await uploadDocument(client, { tenant, asset }, await read()));
    } catch (error) {
      if (!(error instanceof ProblemError && ownStatuses.includes(error.status))) throw error;
      refuse({ name, error: problemLine(error) });
    }
  }
  return sent;
};

/** Statuses of a refusal of one file: invalid and too large. */
const ownStatuses: readonly number[] = [400, 413];

/** Waits until no document is pending. */
const awaitAll = async (
  { client, tenant }: Session,
  asset: string,
  sent: readonly AssetDocument[],
  progress: Progress,
): Promise<AssetDocument[]> => {
  const read = (document: string): Promise<AssetDocument> =>
    unwrapBody(
      client.GET("/v1/tenants/{tenant}/assets/{asset}/documents/{document}", {
        params: { path: { tenant, asset, document } },
      }),
    );
  const documents = [...sent];
  for await (const _ of pauses()) {
    for (const [at, { id, status }] of documents.entries()) {
      if (status === "Pending") documents[at] = await read(id);
    }
    const waiting = documents.filter(({ status }) => status === "Pending").length;
    if (waiting === 0) return documents;
    progress.show(`Indexing… ${documents.length - waiting} of ${documents.length}`);
  }
  return documents;
};

const heading = ["NAME", "STATUS", "BYTES", "CHUNKS", "ID"];

const toRow = ({ id, name, status, size, chunkCount }: AssetDocument): string[] => [
  name,
  status,
  String(size ?? ""),
  String(chunkCount),
  id,
];
