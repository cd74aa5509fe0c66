import { unwrapBody } from "../../../client/client.ts";
import type { CreateScorerBody, ScorerType } from "../../../client/openapi.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { readJsonObject } from "../../read-json-object.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & {
  scorer: string;
  type: ScorerType;
  displayName: string | undefined;
  path: string | undefined;
  schemaFile: string | undefined;
  value: string | undefined;
  llm: string | undefined;
  rubric: string | undefined;
  agent: string | undefined;
  guardrail: string | undefined;
};

/** Runs `wharf scorers create`. */
export const createScorer = async (input: Input, io: Io): Promise<void> => {
  const {
    scorer: id,
    type,
    displayName = id,
    path,
    schemaFile,
    value,
    llm,
    rubric,
    agent,
    guardrail,
  } = input;
  const body: CreateScorerBody = {
    ...{ id, displayName, type },
    ...(path !== undefined && { path }),
    ...(schemaFile !== undefined && {
      schema: await readJsonObject(schemaFile, "a JSON Schema", io),
    }),
    ...(value !== undefined && { value }),
    ...(llm !== undefined && { llm: parseLlm(llm) }),
    ...(rubric !== undefined && { rubric }),
    ...(agent !== undefined && { agentId: agent }),
    ...(guardrail !== undefined && { guardrailId: guardrail }),
  };
  const { client, tenant } = await openSession(input, io);
  const scorer = await unwrapBody(
    client.POST("/v1/tenants/{tenant}/scorers", { params: { path: { tenant } }, body }),
  );
  if (input.json) printJson(io, scorer);
  else printMessage(io, `Created ${scorer.id}.`);
};

/** A model's id may contain slashes, a provider's cannot. */
const parseLlm = (text: string): NonNullable<CreateScorerBody["llm"]> => {
  const [providerId = "", ...rest] = text.split("/");
  const model = rest.join("/");
  return { providerId, parameters: model === "" ? null : { model } };
};
