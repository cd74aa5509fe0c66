import { type BotTokenVerifier, createBotTokenVerifier } from "../chat/providers/bot-framework.ts";
import { botFrameworkOpenIdUrl, outgoingSettings } from "../platform/runtime/env.ts";
import { systemRuntime } from "../platform/runtime/runtime.ts";

let shared: BotTokenVerifier | undefined;

/** The verifier of Bot Framework tokens of this function; made once, so that its keys are fetched once. */
export const botTokenVerifier = (): BotTokenVerifier => {
  shared ??= createBotTokenVerifier({
    openIdUrl: botFrameworkOpenIdUrl(),
    outgoing: outgoingSettings(),
    clock: systemRuntime.clock,
  });
  return shared;
};
