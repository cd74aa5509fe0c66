import { type AnswerDeps, answerMessage } from "../../lib/chat/conversation/answer.ts";
import { consumer } from "../../lib/edge/consumer.ts";
import { outgoingSettings } from "../../lib/platform/runtime/env.ts";
import { executionDeps } from "../deps/execution-deps.ts";
import * as rows from "./messages.ts";

const deps = (): AnswerDeps => ({ ...executionDeps(), outgoing: outgoingSettings() });

export const handler = consumer(rows.answerChat, deps, (message, deps, { deadline }) =>
  answerMessage(deps, { message, deadline }),
);
