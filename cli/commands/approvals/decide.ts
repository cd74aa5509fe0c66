import { unwrapBody } from "../../../client/client.ts";
import type { GlobalInput } from "../../command.ts";
import { convertInputs } from "../../inputs/convert-inputs.ts";
import { type GivenInputs, parsePair } from "../../inputs/read-inputs.ts";
import type { Io } from "../../io.ts";
import { printJson, printMessage } from "../../output.ts";
import { readJsonObject } from "../../read-json-object.ts";
import { openSession, type Session } from "../../session.ts";
import { readApproval } from "./get.ts";
import { showApprovers, showWaited } from "./show-approval.ts";

type Input = GlobalInput & {
  approval: string;
  action: string;
  field: readonly string[];
  comment: string | undefined;
  argumentsFile: string | undefined;
};

/** Runs `wharf approvals decide`. */
export const decideApproval = async (input: Input, io: Io): Promise<void> => {
  const { approval: id, action, field, comment, argumentsFile } = input;
  const texts = field.map((pair) => parsePair("--field", pair));
  const replaced =
    argumentsFile === undefined
      ? undefined
      : await readJsonObject(argumentsFile, "a JSON object of arguments", io);
  const session = await openSession(input, io);
  const fields = texts.length > 0 && (await convertFields(session, id, texts));
  const { client, tenant } = session;
  const decided = await unwrapBody(
    client.POST("/v1/tenants/{tenant}/approvals/{approval}:decide", {
      params: { path: { tenant, approval: id } },
      body: {
        action,
        ...(fields && { fields }),
        ...(comment !== undefined && { comment }),
        ...(replaced && { arguments: replaced }),
      },
    }),
  );
  if (input.json) return printJson(io, decided);
  const { agentId, executionId, status, decisions, minApprovals } = decided;
  const message =
    status === "Decided"
      ? `Decided after ${showWaited(decided)}: ${action}. The execution ${executionId} of ${agentId} continues.`
      : `Counted: ${decisions.length} of the ${minApprovals} people that are needed have chosen. Approvers: ${showApprovers(decided)}.`;
  printMessage(io, message);
};

/** Converts the values of `--field` to the types that the approval declares. */
const convertFields = async (
  session: Session,
  approval: string,
  texts: GivenInputs["texts"],
): Promise<Record<string, unknown>> => {
  const { fields } = await readApproval(session, approval);
  const words = { option: "--field", noun: "a field of the approval" };
  return convertInputs({ values: {}, texts }, fields, words);
};
