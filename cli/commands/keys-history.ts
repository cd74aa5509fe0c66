import type { Command } from "commander";
import * as z from "zod";
import { AuditEvent } from "../../lib/tenancy/api-key/schemas.ts";
import { apiClient } from "../api-client.ts";
import { resolveConnection } from "../connection.ts";
import { endpoints } from "../endpoints.ts";
import type { Io } from "../io.ts";
import { listAll } from "../list-all.ts";
import { GlobalOptions, optionsOf, parseKeyId, parseLimit } from "../options.ts";
import { printJson, printMessage, printTable, showTime } from "../output.ts";
import { readRows } from "../read-rows.ts";

const Options = GlobalOptions.extend({ limit: z.number().optional() });

const examples = `
Examples:
  $ wharf keys history 0193f0a0-7c4b-7000-8000-000000000000
  $ wharf keys history 0193f0a0-7c4b-7000-8000-000000000000 --limit 5 --json
`;

/** Adds `wharf keys history`. */
export const addKeysHistory = (keys: Command, io: Io): void => {
  keys
    .command("history")
    .description("List the audit events of an API key, newest first.")
    .argument("<id>", "the key's id")
    .option("--limit <n>", "maximum number of events to list", parseLimit)
    .addHelpText("after", examples)
    .action((id: string, _, command: Command) => history(id, optionsOf(command, Options), io));
};

const history = async (
  givenId: string,
  options: z.output<typeof Options>,
  io: Io,
): Promise<void> => {
  const params = { apiKey: parseKeyId(givenId) };
  const call = apiClient(await resolveConnection(options, io), io);
  const items = await listAll(call, endpoints.listAuditEvents, { params }, options.limit);
  if (options.json) return printJson(io, { items });
  if (items.length === 0) return printMessage(io, "No events found.");
  printTable(io, heading, readRows(ShownEvent, items).map(toRow));
};

/** An event to print, including types that this version does not know. */
const ShownEvent = AuditEvent.extend({ type: z.string() });
type ShownEvent = z.output<typeof ShownEvent>;

const heading = ["WHEN", "EVENT", "BY", "FROM", "REQUEST", "CHANGE"];

const toRow = (event: ShownEvent): string[] => [
  showTime(event.createdAt),
  event.type,
  event.actor.email ?? `${event.actor.type} ${event.actor.id}`,
  event.requestContext.sourceIp,
  event.requestContext.requestId,
  changeOf(event),
];

/** Formats a change: `+` for an added scope, `-` for a removed one, then the expiry. */
const changeOf = (event: ShownEvent): string => {
  const before = event.previousScopes ?? [];
  const after = event.newScopes ?? before;
  const added = after.filter((scope) => !before.includes(scope)).map((scope) => `+${scope}`);
  const removed = before.filter((scope) => !after.includes(scope)).map((scope) => `-${scope}`);
  const expiry =
    event.previousExpiresAt === event.newExpiresAt
      ? []
      : [`expires ${showTime(event.newExpiresAt)}`];
  return [...added, ...removed, ...expiry].join(", ");
};
