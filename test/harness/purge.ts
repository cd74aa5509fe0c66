import { purgeDeleted } from "../../functions/workers/messages.ts";
import { purge } from "../../functions/workers/purge-deleted.ts";
import type { testExecutions } from "./execution.ts";

/** Processes a message of the queue for housekeeping; does nothing for another one. */
export const purgeSent = async (
  { tenant, deps }: Pick<ReturnType<typeof testExecutions>, "tenant" | "deps">,
  message: unknown,
): Promise<void> => {
  const { data } = purgeDeleted.message.safeParse(message);
  if (!data || data.type === "purge-connections") return;
  const { clock } = tenant.ctx;
  const until = clock() + 60_000;
  await purge(data, { ...tenant.deps, send: deps.send, clock, until });
};
