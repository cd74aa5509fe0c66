import {
  type ChatReplyDeps,
  replyToMessage,
} from "../../lib/chat/conversation/reply-to-message.ts";
import { sendDueReply } from "../../lib/chat/conversation/send-due-reply.ts";
import { consumer } from "../../lib/edge/consumer.ts";
import { outgoingSettings } from "../../lib/platform/runtime/env.ts";
import { executionDeps } from "../deps/execution-deps.ts";
import * as rows from "./messages.ts";

const deps = (): ChatReplyDeps => ({ ...executionDeps(), outgoing: outgoingSettings() });

export const handler = consumer(rows.replyToChat, deps, (message, deps, { deadline }) =>
  message.type === "reply-to-chat"
    ? replyToMessage(deps, { message, deadline })
    : sendDueReply(deps, { message, deadline }),
);
