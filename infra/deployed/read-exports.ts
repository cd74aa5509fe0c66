import { CloudFormationClient, paginateListExports } from "@aws-sdk/client-cloudformation";

/** Reads the exports of all stacks of the account and region, by name. */
export const readExports = async (): Promise<ReadonlyMap<string, string>> => {
  const client = new CloudFormationClient({});
  const exports = new Map<string, string>();
  try {
    for await (const { Exports = [] } of paginateListExports({ client }, {})) {
      for (const { Name = "", Value = "" } of Exports) exports.set(Name, Value);
    }
    return exports;
  } finally {
    client.destroy();
  }
};
