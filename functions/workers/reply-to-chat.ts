import type * as z from "zod";
import { decideByPress } from "../../lib/chat/approval/decide-by-press.ts";
import { showApproval } from "../../lib/chat/approval/show-approval.ts";
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

type Message = z.output<typeof rows.replyToChat.message>;

const handleMessage = (
  message: Message,
  deps: ChatReplyDeps,
  { deadline }: { deadline: number },
): Promise<void> => {
  switch (message.type) {
    case "reply-to-chat":
      return replyToMessage(deps, { message, deadline });
    case "send-chat-reply":
      return sendDueReply(deps, { message, deadline });
    case "show-approval":
      return showApproval(deps, { ...message, deadline });
    case "press-approval":
      return decideByPress(deps, { press: message, deadline });
  }
};

export const handler = consumer(rows.replyToChat, deps, handleMessage);
