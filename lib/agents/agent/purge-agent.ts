import * as z from "zod";
import { deleteAgentAsset } from "../../knowledge/asset/store.ts";
import { listAll } from "../../platform/db/list-page.ts";
import { inTurns } from "../../platform/deletion/in-turns.ts";
import { type PurgeStep, purgeItems } from "../../platform/deletion/purge.ts";
import { purgedItem } from "../../platform/deletion/purged-item.ts";
import type { PurgeRef } from "../../platform/deletion/tombstone.ts";
import type { PurgeAgentMessage } from "../messages.ts";
import { agentChildrenList } from "./keys.ts";

/** An item of an agent, and the id of the asset that it references. */
const AgentChild = purgedItem(["content"], { assetId: z.string().optional() });

/**
 * TENANT#t#AGENT#a: deletes the items of an agent, its assets before the items that reference them. Keeps an asset that
 * another agent has referenced since.
 */
export const purgeAgent = ({ tenantId, agentId }: PurgeRef<PurgeAgentMessage>): PurgeStep =>
  purgeItems({
    list: (db) => listAll(db, AgentChild, agentChildrenList(tenantId, agentId)),
    objects: ({ objects }) => objects,
    before: (children, { db }) =>
      inTurns(
        children.flatMap(({ assetId }) => assetId ?? []),
        (assetId) => deleteAgentAsset(db, tenantId, agentId, assetId),
      ),
  });
