import * as z from "zod";
import { unwrapBody } from "../../../client/client.ts";
import type { CreateGuardrailBody } from "../../../client/openapi.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { readJsonObject } from "../../read-json-object.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { guardrail: string; file: string; displayName: string | undefined };

/** The API validates the checks. */
const Checks = z.custom<CreateGuardrailBody["checks"]>((value) => Array.isArray(value));

/** Runs `wharf guardrails create`. */
export const createGuardrail = async (input: Input, io: Io): Promise<void> => {
  const { guardrail: id, displayName = id, file } = input;
  const { checks } = await readJsonObject(file, "a guardrail", io);
  const body = { id, displayName, checks: Checks.parse(checks ?? []) };
  const { client, tenant } = await openSession(input, io);
  const guardrail = await unwrapBody(
    client.POST("/v1/tenants/{tenant}/guardrails", { params: { path: { tenant } }, body }),
  );
  if (input.json) printJson(io, guardrail);
  else printMessage(io, `Created ${guardrail.id}.`);
};
