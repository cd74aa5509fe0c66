import type { FindPeople } from "../../integrations/connection/connection-owner.ts";
import { isUuid } from "../../platform/http/ids.ts";
import { once } from "../../platform/runtime/once.ts";
import { getApiKey } from "../../tenancy/api-key/store.ts";
import { findOwner } from "../../tenancy/tenant/find-owner.ts";
import type { ExecutionDeps } from "../job/job.ts";
import type { ExecutionRecord } from "../record/execution-record.ts";
import { toExecutionKey } from "../record/keys.ts";
import { triggerTypes } from "../schemas.ts";
import { toSessionPlace } from "../session/keys.ts";
import { getSession } from "../session/session-store.ts";

/**
 * Returns the search for the people of an execution, whom its tools may act for: the end user of its session, or else the user
 * who started it. A key is not a user.
 */
export const findPeople = (
  { db, runtime }: Pick<ExecutionDeps, "db" | "runtime">,
  item: ExecutionRecord,
): FindPeople =>
  once(async () => {
    const { tenantId, agentId } = toExecutionKey(item);
    const { session, trigger, endUserId } = item;
    if (endUserId !== undefined) return { endUserId };
    const place = session && toSessionPlace(tenantId, agentId, session.id);
    const owned = place && (await getSession(db, place))?.endUserId;
    if (owned) return { endUserId: owned };
    const isCalled = trigger.type === triggerTypes.api || trigger.type === triggerTypes.test;
    if (!isCalled || trigger.id === null) return {};
    const owner = await findOwner(db, tenantId, runtime.clock());
    if (!owner) return {};
    const isKey =
      isUuid(trigger.id) && (await getApiKey(db, owner.organizationId, trigger.id)) !== undefined;
    return isKey ? {} : { userId: trigger.id };
  });
