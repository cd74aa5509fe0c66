import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { localIssuer } from "../local/issuer.ts";
import { useLocalStack } from "../local/operator-environment.ts";
import { writePrivateFile } from "../local/private-file.ts";
import { readAssembly } from "../local/template/assembly.ts";
import { readModel } from "../local/template/model.ts";
import { samTemplate } from "../sam/sam-template.ts";
import { readConfig } from "../settings/config.ts";
import { CommandError, runCommand } from "../shell/command.ts";

const usage = `usage: npm run sam [-- --out DIRECTORY]

Writes template.json for sam local invoke, by default to dist/sam. Its functions use the storage of the running local
stack, so it is valid until the stack stops.`;

const readDirectory = (): string => {
  try {
    const { values } = parseArgs({ options: { out: { type: "string", default: "dist/sam" } } });
    return resolve(values.out);
  } catch (error) {
    throw new CommandError(`${error instanceof Error ? error.message : error}\n${usage}`);
  }
};

await runCommand(async () => {
  const directory = readDirectory();
  const { services, secret, assembly } = useLocalStack("see docs/sam.md for a deployment");
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
