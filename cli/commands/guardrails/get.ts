import { unwrapBody } from "../../../client/client.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { printFields, printJson, showTime } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { guardrail: string };

/** Runs `wharf guardrails get`. */
export const getGuardrail = async (input: Input, io: Io): Promise<void> => {
  const { client, tenant } = await openSession(input, io);
  const { guardrail } = input;
  const found = await unwrapBody(
    client.GET("/v1/tenants/{tenant}/guardrails/{guardrail}", {
      params: { path: { tenant, guardrail } },
    }),
  );
  if (input.json) return printJson(io, found);
  printFields(io, [
    ["ID", found.id],
    ["Name", found.displayName],
    ["Revision", String(found.revision)],
    ["Modified", showTime(found.modifiedAt)],
    ["Checks", JSON.stringify(found.checks, null, 2)],
  ]);
};
