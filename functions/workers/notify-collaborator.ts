import { type ApproverMailDeps, mailApprover } from "../../lib/approvals/notice/mail-approver.ts";
import { consumer } from "../../lib/edge/consumer.ts";
import { notifyCollaborator } from "../../lib/notifications/alert/notify-collaborator.ts";
import { sendMail } from "../../lib/notifications/alert/send-mail.ts";
import { database } from "../../lib/platform/db/database.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { publicUrl } from "../../lib/platform/runtime/env.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import * as rows from "./messages.ts";

const deps = (): ApproverMailDeps => ({
  db: database(),
  sealer: kmsSealer(),
  publicUrl: publicUrl(),
  sendMail,
  ...systemRuntime,
});

export const handler = consumer(rows.notifyCollaborator, deps, (message, deps) =>
  message.type === "mail-approver"
    ? mailApprover(deps, message)
    : notifyCollaborator(deps, message),
);
