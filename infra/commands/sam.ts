import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { readExports } from "../deployed/read-exports.ts";
import { readStacks } from "../deployed/rollback.ts";
import { deriveArea } from "../functions/areas.ts";
import { localIssuer } from "../local/issuer.ts";
import { useLocalStack } from "../local/operator-environment.ts";
import { writePrivateFile } from "../local/private-file.ts";
import { readAssembly } from "../local/template/assembly.ts";
import { readModel } from "../local/template/model.ts";
import { deployedVariables } from "../sam/deployed-environment.ts";
import { samTemplate } from "../sam/sam-template.ts";
import { readConfig } from "../settings/config.ts";
import { stackName } from "../settings/names.ts";
import { requireAccount } from "../shell/cdk.ts";
import { CommandError, runCommand } from "../shell/command.ts";

const usage = `usage: npm run sam [-- --out DIRECTORY] [--deployed]

Writes template.json for sam local invoke, by default to dist/sam. Its functions use the storage of the running local
stack, so it is valid until the stack stops. --deployed: writes env.json, with the variables of the deployed stacks for
the templates that npm run synth wrote to cdk.out, with the AWS credentials of the environment.`;

const readOptions = () => {
  try {
    const { values } = parseArgs({
      options: {
        out: { type: "string", default: "dist/sam" },
        deployed: { type: "boolean", default: false },
      },
    });
    return { directory: resolve(values.out), deployed: values.deployed };
  } catch (error) {
    throw new CommandError(`${error instanceof Error ? error.message : error}\n${usage}`);
  }
};

/** Writes the environment of the deployed functions. */
const writeEnvironment = async (directory: string): Promise<void> => {
  await requireAccount("read the stacks");
  if (!existsSync(join("cdk.out", "manifest.json"))) {
    throw new CommandError("There are no templates in cdk.out. Run npm run synth.");
  }
  const templates = readStacks("cdk.out").map((stack) =>
    JSON.parse(readFileSync(join("cdk.out", `${stack}.template.json`), "utf8")),
  );
  const region = await new CloudFormationClient({}).config.region();
  const partition = readPartition(region);
  const Parameters = deployedVariables(templates, {
    exports: await readExports(),
    pseudo: {
      "AWS::Region": region,
      "AWS::Partition": partition,
      "AWS::URLSuffix": partition === "aws-cn" ? "amazonaws.com.cn" : "amazonaws.com",
    },
  });
  mkdirSync(directory, { recursive: true });
  const file = join(directory, "env.json");
  writePrivateFile(file, JSON.stringify({ Parameters }, null, 2));
  const area = stackName(readConfig(process.env).STACK_PREFIX, deriveArea("api-keys"));
  console.log(
    `sam local invoke GetCurrentApiKey -t cdk.out/${area}.template.json -e events/get-current-api-key.json --env-vars ${file}`,
  );
};

const readPartition = (region: string): string => {
  if (region.startsWith("cn-")) return "aws-cn";
  return region.startsWith("us-gov-") ? "aws-us-gov" : "aws";
};

await runCommand(async () => {
  const { directory, deployed } = readOptions();
  if (deployed) return writeEnvironment(directory);
  const { services, secret, assembly } = useLocalStack("give --deployed");
  const { functions } = readModel(readAssembly(assembly), services);
  const isOwnIssuer = functions.some(({ environment }) => environment.OIDC_ISSUER === localIssuer);
  const jwksUrl = isOwnIssuer ? `${services}/.well-known/jwks.json` : undefined;
  const template = samTemplate(functions, {
    directory,
    prefix: readConfig(process.env).STACK_PREFIX,
    endpoints: { services, secret, jwksUrl },
  });
  mkdirSync(directory, { recursive: true });
  const file = join(directory, "template.json");
  writePrivateFile(file, JSON.stringify(template, null, 2));
  console.log(
    `sam local invoke GetCurrentApiKey -t ${file} -e events/get-current-api-key.json --docker-network host`,
  );
});
