import { uploadFile } from "../../../client/upload-file.ts";
import type { GlobalInput } from "../../command.ts";
import { usage } from "../../exit.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage, printValue, showTime } from "../../output.ts";
import { progressOn } from "../../progress.ts";
import { openSession } from "../../session.ts";
import { type LocalFile, openUpload } from "../../stored-files/open-upload.ts";

type Input = GlobalInput & {
  path: string;
  name: string | undefined;
  retentionDays: number | undefined;
};

/** Runs `wharf files upload`. */
export const storeFile = async (input: Input, io: Io): Promise<void> => {
  const { path, retentionDays } = input;
  const file = path === "-" ? await readPiped(input.name, io) : await openUpload(path, io);
  const { client, tenant } = await openSession(input, io);
  const { name, content } = { ...file, ...(input.name !== undefined && { name: input.name }) };
  const progress = progressOn(io);
  progress.show(`Uploading ${name}…`);
  const stored = await uploadFile(client, {
    ...{ tenant, name, content },
    ...(retentionDays !== undefined && { retentionDays }),
  }).finally(progress.clear);
  if (input.json) return printJson(io, stored);
  const { id, mediaType, bytes, expiresAt } = stored;
  printMessage(
    io,
    `Stored ${stored.name} (${mediaType}, ${bytes} bytes) until ${showTime(expiresAt)}.`,
  );
  printValue(io, id);
};

const readPiped = async (name: string | undefined, { stdin }: Io): Promise<LocalFile> => {
  if (name === undefined) throw usage("--name is required for standard input (-).");
  const chunks = (await stdin.toArray()).map((chunk) => Buffer.from(chunk));
  const content = new Blob(chunks);
  if (content.size === 0) throw usage("Standard input (-) is empty.");
  return { name, content };
};
