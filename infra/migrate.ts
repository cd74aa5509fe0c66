import { parseArgs } from "node:util";
import { type Database, database } from "../lib/platform/db/database.ts";
import { systemRuntime } from "../lib/platform/runtime/runtime.ts";
import { findTenantOwner } from "../lib/tenancy/tenant/store.ts";
import { CommandError, runCommand } from "./command.ts";
import { readConfig } from "./config.ts";
import { type FoundAgent, listAgentsOf, listAllAgents } from "./migration/list-agents.ts";
import { migrateAgents } from "./migration/migrate-agents.ts";
import { useDeployedTable, useLocalTable } from "./table.ts";

const usage = `usage: npm run migrate [-- --tenant SLUG …] [--local]

Moves the usage that versions without GET /usage counted to counters of days, on the deployed stacks of STACK_PREFIX,
with the AWS credentials of the environment. Safe to interrupt and to repeat.

  --tenant SLUG  slug or ID of a tenant; may be repeated; default: all
  --local        works on the running local stack`;

const readOptions = () => {
  try {
    return parseArgs({
      options: { tenant: { type: "string", multiple: true }, local: { type: "boolean" } },
    }).values;
  } catch (error) {
    throw new CommandError(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
};

async function* listAgentsOfAll(
  db: Database,
  tenants: readonly string[],
): AsyncGenerator<FoundAgent> {
  for (const tenant of tenants) {
    const found = await findTenantOwner(db, tenant);
    if (!found) throw new CommandError(`There is no tenant ${JSON.stringify(tenant)}.`);
    yield* listAgentsOf(db, found.id);
  }
}

await runCommand(async () => {
  const { tenant: tenants, local } = readOptions();
  if (local) useLocalTable();
  else await useDeployedTable(readConfig(process.env).STACK_PREFIX);
  const db = database();
  const { agents, counters, changing } = await migrateAgents(
    { db, clock: systemRuntime.clock, print: console.log },
    tenants ? listAgentsOfAll(db, tenants) : listAllAgents(db),
  );
  console.log(
    counters === 0 && changing === 0
      ? `nothing to do: ${agents} agents have no earlier counters`
      : `${counters} counters moved; ${agents} agents`,
  );
  if (changing > 0) {
    throw new CommandError(
      `${changing} agents are still counted by an earlier version. Run the command again when the update is complete.`,
    );
  }
});
