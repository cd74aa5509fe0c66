import { command, group } from "../command.ts";
import { argument, flag, optionalArgument, positive, text } from "../options.ts";
import { sampleIds } from "../sample-ids.ts";

const id = argument("the file's id");

const upload = command({
  name: "upload",
  summary: "Store a file for inputs of agents, and print its id.",
  args: { path: argument("the file; - reads standard input") },
  options: {
    name: text("name", "name of the stored file; by default that of the path, required with -"),
    retentionDays: positive("days for which it is kept, 1 to 365; by default 30"),
  },
  notes:
    "A file has at most 64 MiB; one of more than 4 MiB is sent to the storage directly. Its media type is found from its content. `wharf run` stores the files of its inputs itself.",
  examples: [
    "wharf files upload photo.png",
    "date | wharf files upload - --name today.txt --retention-days 1 --json",
  ],
  scopes: "agents:execute",
  json: "the file as the API returned it: `{id, name, mediaType, bytes, sha256, createdAt, expiresAt}`",
  run: async (input, io) => (await import("./files/upload.ts")).storeFile(input, io),
});

const get = command({
  name: "get",
  summary: "Show a stored file's name, media type, size and expiry.",
  args: { id },
  notes:
    "Files that the caller stored, and those of executions that the caller may read, are found; others are as if they did not exist.",
  examples: [`wharf files get ${sampleIds.file}`],
  scopes: "executions:read, or agents:execute for own files",
  json: "the file as the API returned it",
  run: async (input, io) => (await import("./files/get.ts")).showFile(input, io),
});

const download = command({
  name: "download",
  summary: "Download a stored file.",
  args: {
    id,
    path: optionalArgument("where to write it: a file, a folder, or - for standard output"),
  },
  options: { force: flag("replace a file that exists") },
  notes:
    "Without a path, and in a folder, the file gets its own name, without slashes, leading dots and other characters that could harm. A file that exists is replaced only with --force.",
  examples: [
    `wharf files download ${sampleIds.file} copy.png`,
    `wharf files download ${sampleIds.file} --force`,
  ],
  scopes: "executions:read, or agents:execute for own files",
  json: 'the file as the API returned it, with `"path"`',
  run: async (input, io) => (await import("./files/download.ts")).downloadFile(input, io),
});

const remove = command({
  name: "delete",
  summary: "Delete a stored file with its content.",
  args: { id },
  options: { yes: flag("skip the confirmation") },
  notes: "Records of executions still name the file. Its content cannot be read any more.",
  examples: [`wharf files delete ${sampleIds.file} --yes`],
  scopes: "agents:execute",
  json: '`{"id": "…", "deleted": true}`',
  run: async (input, io) => (await import("./files/delete.ts")).deleteFile(input, io),
});

/** Rows of `wharf files`. */
export const files = group({
  name: "files",
  summary: "Files that inputs of agents name, and that tools return.",
  examples: ["wharf files upload photo.png", `wharf files download ${sampleIds.file}`],
  commands: [upload, get, download, remove],
});
