import { sendApprovedMessages } from "../../lib/chat-user/send-approved-messages.ts";
import { database } from "../../lib/db/database.ts";
import { scheduled } from "../../lib/queue/scheduled.ts";
import { send } from "../../lib/queue/send.ts";
import { systemRuntime } from "../../lib/runtime/runtime.ts";
import { sendApprovedChats } from "./schedules.ts";

const deps = () => ({ db: database(), send, clock: systemRuntime.clock });

export const handler = scheduled(sendApprovedChats, deps, sendApprovedMessages);
