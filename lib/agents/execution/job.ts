import type { Utterance } from "../../engine/flow/utterance.ts";
import type { JsonObject } from "../../json/json.ts";
import type { TenantId } from "../../platform/db/tenant-id.ts";
import type { AgentItem } from "../agent/store.ts";
import type { LoadedRevision } from "../revision/load-revision.ts";
import type { ExecutionItem } from "./items.ts";

/** An execution with all that running it needs. */
export type Job = {
  tenantId: TenantId;
  agent: AgentItem;
  agentRevision: number;
  revision: LoadedRevision;
  item: ExecutionItem;
  /** The inputs as they were checked, with defaults and secrets. */
  values: JsonObject;
  /** What was said before in the conversation that it answers in, oldest first. */
  session?: readonly Utterance[] | undefined;
  /** Token of the run that has it; null for a sub-agent's, which is its parent's. */
  owner: string | null;
  /** When the execution as a whole must have ended, Unix milliseconds. */
  endsBy: number;
};
