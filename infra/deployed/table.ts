import { resourceVariables } from "../../lib/platform/runtime/resource-variables.ts";
import { useLocalStack } from "../local/operator-environment.ts";
import { CommandError } from "../shell/command.ts";
import { readStackOutputs, type StackOutputs } from "./stack-outputs.ts";

/** Connects to the table of the deployed stacks; returns the outputs of the data stack. Throws a CommandError. */
export const useDeployedTable = async (prefix: string): Promise<StackOutputs> => {
  const outputs = await readStackOutputs(`${prefix}-Data`);
  const table = outputs?.get("TableName");
  if (outputs === undefined || table === undefined) {
    throw new CommandError(
      `The stack ${prefix}-Data does not exist or has no output TableName. Run npm run deploy, and check STACK_PREFIX, region and account; --local works on the local stack.`,
    );
  }
  process.env[resourceVariables.table] = table;
  return outputs;
};

/** Connects to the table of the running local stack. Throws a CommandError when none runs. */
export const useLocalTable = (): void => {
  const { dynamodbEndpoint, table } = useLocalStack("leave out --local for a deployment");
  Object.assign(process.env, {
    [resourceVariables.table]: table,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodbEndpoint,
  });
};
