import { queueApprovalNotices } from "../../lib/chat/approval/queue-notices.ts";
import { consumer } from "../../lib/edge/consumer.ts";
import { queueUnsentMessage } from "../../lib/executions/hooks/end-messages.ts";
import { type PublishDeps, publishEvent } from "../../lib/notifications/alert/publish-event.ts";
import { database } from "../../lib/platform/db/database.ts";
import { send, sendMany } from "../../lib/platform/queue/send.ts";
import * as rows from "./messages.ts";

const deps = (): PublishDeps => {
  const db = database();
  return {
    db,
    sendMany,
    queueOther: async (event) => {
      await queueApprovalNotices({ db, send, sendMany }, event);
      await queueUnsentMessage({ send }, event);
    },
  };
};

export const handler = consumer(rows.publishEvent, deps, ({ event }, deps) =>
  publishEvent(deps, event),
);
