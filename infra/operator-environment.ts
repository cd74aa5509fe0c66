import { existsSync, readFileSync } from "node:fs";
import * as z from "zod";
import { CommandError } from "./command.ts";
import { openDataFolder } from "./local/data-folder.ts";
import { credentialVariables } from "./local/functions/function-environment.ts";

/** What the running local stack tells the commands of whoever operates it. */
export const OperatorJson = z.object({
  dynamodbEndpoint: z.string(),
  table: z.string(),
  services: z.string(),
  credentials: z.object({
    accessKeyId: z.string(),
    secretAccessKey: z.string(),
    sessionToken: z.string(),
  }),
});
export type OperatorJson = z.output<typeof OperatorJson>;

/**
 * Reads where the running local stack keeps what an operator's command works on, and gives the AWS SDK an
 * identity for it. Throws a CommandError that says what to do when nothing runs; `otherwise` says how the
 * command is run against a deployment.
 */
export const useLocalStack = (otherwise: string): OperatorJson => {
  const { storageJson, directory } = openDataFolder(process.env.WHARF_DATA_DIR ?? ".wharf");
  if (!existsSync(storageJson)) {
    throw new CommandError(
      `Nothing runs over ${directory}. Start the product (npm start), or ${otherwise}.`,
    );
  }
  const told = OperatorJson.parse(JSON.parse(readFileSync(storageJson, "utf8")));
  Object.assign(process.env, {
    AWS_REGION: "us-east-1",
    ...credentialVariables(told.credentials),
  });
  return told;
};
