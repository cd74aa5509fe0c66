import { type AnswerDeps, answerMessage } from "../../lib/chat/answer-message.ts";
import { executionDeps } from "../../lib/execution/deps.ts";
import { consumer } from "../../lib/queue/consumer.ts";
import { outgoingSettings } from "../../lib/runtime/env.ts";
import { answerChat } from "./messages.ts";

const deps = (): AnswerDeps => ({ ...executionDeps(), outgoing: outgoingSettings() });

export const handler = consumer(answerChat, deps, (message, deps, { deadline }) =>
  answerMessage(deps, message, deadline),
);
