import type { Command } from "commander";
import * as z from "zod";
import { ApiKey } from "../../lib/tenancy/api-key/schemas.ts";
import { apiClient } from "../api-client.ts";
import { resolveConnection } from "../connection.ts";
import { endpoints } from "../endpoints.ts";
import type { Io } from "../io.ts";
import { listAll } from "../list-all.ts";
import { GlobalOptions, optionsOf, parseLimit } from "../options.ts";
import { printJson, printMessage, printTable, showTime } from "../output.ts";
import { readRows } from "../read-rows.ts";

const Options = GlobalOptions.extend({
  includeRevoked: z.boolean().default(false),
  limit: z.number().optional(),
});

const examples = `
Examples:
  $ wharf keys list
  $ wharf keys list --include-revoked --limit 20
  $ wharf keys list --json | jq -r '.items[] | select(.lastUsedAt == null) | .id'
`;

/** Adds `wharf keys list`. */
export const addKeysList = (keys: Command, io: Io): void => {
  keys
    .command("list")
    .description("List the organization's API keys, oldest first.")
    .option("--include-revoked", "include revoked keys")
    .option("--limit <n>", "maximum number of keys to list", parseLimit)
    .addHelpText("after", examples)
    .action((_, command: Command) => list(optionsOf(command, Options), io));
};

const list = async (options: z.output<typeof Options>, io: Io): Promise<void> => {
  const call = apiClient(await resolveConnection(options, io), io);
  const query: Record<string, string> = options.includeRevoked ? { includeRevoked: "true" } : {};
  const items = await listAll(call, endpoints.listApiKeys, { query }, options.limit);
  if (options.json) return printJson(io, { items });
  if (items.length === 0) return printMessage(io, "No keys found.");
  printTable(io, heading, readRows(ShownKey, items).map(toRow));
};

/** A key to print, including scopes and statuses that this version does not know. */
const ShownKey = ApiKey.pick({
  id: true,
  name: true,
  prefix: true,
  last4: true,
  createdAt: true,
  lastUsedAt: true,
  expiresAt: true,
}).extend({ status: z.string(), scopes: z.array(z.string()) });

const heading = ["ID", "NAME", "STATUS", "KEY", "LAST USED", "EXPIRES", "CREATED", "SCOPES"];

const toRow = (key: z.output<typeof ShownKey>): string[] => [
  key.id,
  key.name,
  key.status,
  `${key.prefix}_live_…${key.last4}`,
  showTime(key.lastUsedAt),
  showTime(key.expiresAt),
  showTime(key.createdAt),
  key.scopes.join(", "),
];
