import { existsSync, readFileSync } from "node:fs";
import * as z from "zod";
import { CommandError } from "../shell/command.ts";
import { dataFolderPaths } from "./data-folder.ts";
import { credentialVariables } from "./functions/function-environment.ts";

/** Endpoints and credentials that the local stack provides to operator commands. */
export const OperatorJson = z.object({
  dynamodbEndpoint: z.string(),
  table: z.string(),
  services: z.string(),
  credentials: z.object({
    accessKeyId: z.string(),
    secretAccessKey: z.string(),
    sessionToken: z.string(),
  }),
  /** Directory of the stack's templates. */
  assembly: z.string(),
  /** Derives the credentials of the stack's functions. */
  secret: z.string(),
});
export type OperatorJson = z.output<typeof OperatorJson>;

/**
 * Reads the endpoints of the running local stack and sets the credentials of the AWS SDK. Throws a CommandError
 * when no stack runs; `otherwise` is the advice for a deployment.
 */
export const useLocalStack = (otherwise: string): OperatorJson => {
  const { storageJson, directory } = dataFolderPaths(process.env.WHARF_DATA_DIR);
  if (!existsSync(storageJson)) {
    throw new CommandError(
      `No local stack runs on ${directory}. Start the product (npm start), or ${otherwise}.`,
    );
  }
  const operatorJson = OperatorJson.parse(JSON.parse(readFileSync(storageJson, "utf8")));
  Object.assign(process.env, {
    AWS_REGION: "us-east-1",
    ...credentialVariables(operatorJson.credentials),
  });
  return operatorJson;
};
