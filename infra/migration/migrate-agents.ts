import {
  type MigrationProgress,
  migrateUsage,
  UsageChangesError,
} from "../../lib/agents/usage/migrate-usage.ts";
import type { Database } from "../../lib/platform/db/database.ts";
import type { Clock } from "../../lib/platform/runtime/runtime.ts";
import type { FoundAgent } from "./list-agents.ts";

/** Result of a migration. `changing`: agents whose counters other writers kept changing. */
export type Migrated = { agents: number; counters: number; changing: number };

/** Moves the usage counters without days of agents, and prints what it does. */
export const migrateAgents = async (
  deps: { db: Database; clock: Clock; print: (line: string) => void },
  agents: AsyncIterable<FoundAgent>,
): Promise<Migrated> => {
  const migrated = { agents: 0, counters: 0, changing: 0 };
  for await (const { tenantId, agentId } of agents) {
    const name = `${tenantId}/${agentId}`;
    try {
      for await (const step of migrateUsage(deps, tenantId, agentId)) {
        deps.print(`${name}: ${describe(step)}`);
        if (step.type === "moved") migrated.counters += step.counters;
      }
    } catch (error) {
      if (!(error instanceof UsageChangesError)) throw error;
      deps.print(`${name}: ${error.message}`);
      migrated.changing += 1;
    }
    migrated.agents += 1;
  }
  return migrated;
};

const describe = (step: MigrationProgress): string =>
  step.type === "read"
    ? `${step.executions} executions read`
    : `revision ${step.revision}: ${step.counters} counters moved to ${step.days} days`;
