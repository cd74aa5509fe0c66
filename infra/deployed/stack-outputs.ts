import {
  CloudFormationClient,
  CloudFormationServiceException,
  DescribeStacksCommand,
} from "@aws-sdk/client-cloudformation";

/** Outputs of a stack by name. */
export type StackOutputs = ReadonlyMap<string, string>;

/** Reads the outputs of a deployed stack; undefined when it does not exist. */
export const readStackOutputs = async (stack: string): Promise<StackOutputs | undefined> => {
  const client = new CloudFormationClient({});
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: stack }));
    const outputs = Stacks[0]?.Outputs ?? [];
    return new Map(
      outputs.map(({ OutputKey = "", OutputValue = "" }) => [OutputKey, OutputValue] as const),
    );
  } catch (error) {
    if (error instanceof CloudFormationServiceException && error.name === "ValidationError") {
      return undefined;
    }
    throw error;
  } finally {
    client.destroy();
  }
};
