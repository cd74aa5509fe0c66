import { command, group } from "../command.ts";
import { argument, argumentList, flag, optionalChoice, positive, text, texts } from "../options.ts";

const asset = argument("the asset's id");

const list = command({
  name: "list",
  summary: "List assets.",
  options: { limit: positive("maximum number of assets to list") },
  examples: ["wharf knowledge list"],
  scopes: "assets:read",
  json: '`{"items": […]}`, with items as the API returned them',
  run: async (input, io) => (await import("./knowledge/list.ts")).listAssets(input, io),
});

const create = command({
  name: "create",
  summary: "Create an asset: a source of documents that agents search.",
  args: { asset: argument("the new asset's id") },
  options: {
    displayName: text("name", "name to show; by default the id"),
    type: text("type", "type of the source, such as github; by default upload, for files"),
    parameter: texts("name=value", "a parameter of the source (can be repeated)"),
    parametersFile: text("file", "JSON file with parameters; - reads standard input"),
    refresh: optionalChoice(
      "period",
      ["hourly", "daily", "weekly"],
      "how often the source is read again",
    ),
    embedding: text("provider/model", "model that embeds the texts; by default echo/echo-1"),
  },
  notes:
    "docs/assets.md has the parameters of each type. Put credentials into a file: other users of the machine can see a command line. A source is not read before `wharf knowledge sync`.",
  examples: [
    "wharf knowledge create handbook --display-name Handbook",
    "wharf knowledge create readme --type github --parameter repository=octocat/Hello-World --refresh daily",
  ],
  scopes: "assets:write",
  json: "the asset as the API returned it",
  run: async (input, io) => (await import("./knowledge/create.ts")).createAsset(input, io),
});

const upload = command({
  name: "upload",
  summary: "Upload files to an asset of the type upload.",
  args: { asset, files: argumentList("files; - reads standard input") },
  options: {
    name: text("name", "file name for standard input; required with -"),
    wait: flag("wait until the files are indexed"),
  },
  notes:
    "A file of the same name is replaced. A file that is refused, or with --wait cannot be indexed, is named on standard error; the others continue, and the exit code is 1.",
  examples: [
    "wharf knowledge upload handbook README.md docs/knowledge.md",
    "date | wharf knowledge upload handbook - --name today.txt --wait",
  ],
  scopes: "assets:write; with --wait also assets:read",
  json: '`{"items": […], "refused": [{"name": "…", "error": "…"}]}`, with items as the API returned them',
  run: async (input, io) => (await import("./knowledge/upload.ts")).uploadFiles(input, io),
});

const sync = command({
  name: "sync",
  summary: "Bring the index of an asset up to date with its source.",
  args: { asset },
  options: { wait: flag("wait until the sync has ended, and show its progress") },
  notes:
    "Only new and changed documents are embedded. Without --wait the command starts the sync. With it, the exit code is 1 if the sync failed; Ctrl-C stops waiting, not the sync.",
  examples: ["wharf knowledge sync readme --wait"],
  scopes: "assets:write; with --wait also assets:read",
  json: "the asset as the API returned it; with `--wait`, at the end of the sync",
  run: async (input, io) => (await import("./knowledge/sync.ts")).syncAsset(input, io),
});

const search = command({
  name: "search",
  summary: "Search assets, as agents do.",
  args: { query: argument("what to search for") },
  options: {
    asset: texts("id", "only in this asset (can be repeated); by default in the first 100"),
    document: text("name", "only in documents of this name"),
    limit: positive("passages to find, by default 5"),
  },
  examples: ['wharf knowledge search "Who says hello?" --asset readme --limit 1'],
  scopes: "assets:read",
  json: 'the API\'s response: `{"items": [{assetId, documentId, documentName, chunk, text, score, link}]}`',
  run: async (input, io) => (await import("./knowledge/search.ts")).searchAssets(input, io),
});

/** Rows of `wharf knowledge`. */
export const knowledge = group({
  name: "knowledge",
  summary: "Manage and search the documents that agents use.",
  examples: [
    "wharf knowledge create handbook",
    "wharf knowledge upload handbook README.md",
    'wharf knowledge search "How do I start it?"',
  ],
  commands: [list, create, upload, sync, search],
});
