import { unwrapBody } from "../../../client/client.ts";
import type { GuardedPlace } from "../../../client/openapi.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { printable } from "../../printable.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { guardrail: string; text: string; on: GuardedPlace };

/** Runs `wharf guardrails check`. */
export const checkGuardrail = async (input: Input, io: Io): Promise<void> => {
  const { guardrail, text: value, on } = input;
  const { client, tenant } = await openSession(input, io);
  const result = await unwrapBody(
    client.POST("/v1/tenants/{tenant}/guardrails/{guardrail}:check", {
      params: { path: { tenant, guardrail } },
      body: { on, value },
    }),
  );
  if (input.json) return printJson(io, result);
  for (const { check, outcome, found, score, error } of result.verdicts) {
    const shown = [...(score === undefined ? [] : [String(score)]), ...found];
    const facts = shown.length === 0 ? "" : ` (${shown.join(", ")})`;
    const reason = error === undefined ? "" : `: ${error}`;
    printMessage(io, printable(`${check}: ${outcome}${facts}${reason}`));
  }
  printMessage(io, result.blocked ? "Blocked." : printable(String(result.value)));
};
