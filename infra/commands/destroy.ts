import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import * as z from "zod";
import { buildFunctions } from "../build/build-functions.ts";
import { readStackOutputs } from "../deployed/stack-outputs.ts";
import { deleteVectorIndexes } from "../deployed/vector-indexes.ts";
import { groupByArea } from "../functions/areas.ts";
import { readModelPrices } from "../functions/model-prices.ts";
import { product } from "../functions/product.ts";
import { readConfig } from "../settings/config.ts";
import {
  builtFunctions,
  deletableVariable,
  stackName,
  vectorBucketOutput,
} from "../settings/names.ts";
import { requireAccount, runCdk } from "../shell/cdk.ts";
import { CommandError, runCommand } from "../shell/command.ts";

const usage = `usage: npm run destroy -- [--delete-data --confirm STACK_PREFIX] [--force]

Deletes the stacks of the API, its areas, the workers and the operations. The data stack is kept and listed: table, bucket, queues,
schedules, key and users. --delete-data deletes it too, with all data. --force: without a question.`;

type Options = { prefix: string; deletesData: boolean; force: boolean };

/** A run of the CDK command line; `deletable` makes the data stack deletable, `deletesVectors` empties its vector bucket. */
export type Step = { args: string[]; deletable: boolean; deletesVectors?: boolean };

/** Reads the options. Throws a CommandError for unknown ones, and for data deleted without its confirmation. */
export const readOptions = (args: readonly string[], prefix: string): Options => {
  const { values } = parse(args);
  const deletesData = values["delete-data"] ?? false;
  if (deletesData && values.confirm !== prefix) {
    throw new CommandError(
      `--delete-data deletes all data of the installation ${prefix}, which cannot be undone. Confirm it with --confirm ${prefix}.`,
    );
  }
  return { prefix, deletesData, force: values.force ?? false };
};

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        "delete-data": { type: "boolean" },
        confirm: { type: "string" },
        force: { type: "boolean" },
      },
    });
  } catch (error) {
    throw new CommandError(`${String(error)}\n${usage}`);
  }
};

/**
 * Returns the steps in order: callers first, then consumers. Data is deleted by deploying its stack without retention and
 * protection, then deleting the stack.
 */
export const planSteps = ({ prefix, deletesData, force }: Options): Step[] => {
  // Deleting data is already confirmed: a "no" here must not continue to the data.
  const forced = force || deletesData ? ["--force"] : [];
  const areas = groupByArea(product.http).keys();
  const others = ["Console", "Operations", "Api", ...areas, "Workers"].map((name) =>
    stackName(prefix, name),
  );
  const data = stackName(prefix, "Data");
  const steps: Step[] = [
    { args: ["destroy", "--exclusively", ...forced, ...others], deletable: false },
  ];
  if (deletesData) {
    steps.push(
      {
        args: ["deploy", "--exclusively", "--require-approval", "never", data],
        deletable: true,
      },
      {
        args: ["destroy", "--exclusively", "--force", data],
        deletable: true,
        deletesVectors: true,
      },
    );
  }
  return steps;
};

const Template = z.object({
  Resources: z.record(
    z.string(),
    z.object({
      Type: z.string(),
      DeletionPolicy: z.string().optional(),
      Properties: z
        .object({ QueueName: z.string().optional(), Name: z.string().optional() })
        .default({}),
    }),
  ),
});

/** Lists the retained resources of a template by type, with their fixed names or else their logical IDs. */
export const keptResources = (template: unknown): ReadonlyMap<string, string[]> => {
  const { Resources } = Template.parse(template);
  const kept = new Map<string, string[]>();
  for (const [id, { Type, DeletionPolicy, Properties }] of Object.entries(Resources)) {
    if (!DeletionPolicy?.startsWith("Retain")) continue;
    kept.set(Type, [...(kept.get(Type) ?? []), Properties.QueueName ?? Properties.Name ?? id]);
  }
  return kept;
};

const printKept = (prefix: string): void => {
  const data = stackName(prefix, "Data");
  const file = resolve(import.meta.dirname, `../../cdk.out/${data}.template.json`);
  console.log(`Kept in the stack ${data}:`);
  for (const [type, names] of keptResources(JSON.parse(readFileSync(file, "utf8")))) {
    console.log(`  ${type}: ${names.join(", ")}`);
  }
  console.log(
    [
      `npm run deploy with STACK_PREFIX=${prefix} uses them again.`,
      "Schedules still fire, and their messages expire after four days without workers.",
      `To delete all of it: npm run destroy -- --delete-data --confirm ${prefix}`,
    ].join("\n"),
  );
};

/** The preceding step deployed the output, whatever version the installation had. */
const emptyVectorBucket = async (prefix: string): Promise<void> => {
  const outputs = await readStackOutputs(stackName(prefix, "Data"));
  const arn = outputs?.get(vectorBucketOutput);
  if (arn !== undefined) await deleteVectorIndexes(arn);
};

if (import.meta.main) {
  await runCommand(async () => {
    const config = readConfig(process.env);
    const options = readOptions(process.argv.slice(2), config.STACK_PREFIX);
    const modelPrices = readModelPrices(config);
    await requireAccount("destroy");
    await buildFunctions({ outdir: builtFunctions, modelPrices });
    for (const { args, deletable, deletesVectors = false } of planSteps(options)) {
      if (deletesVectors) await emptyVectorBucket(options.prefix);
      const status = runCdk(args, { [deletableVariable]: String(deletable) });
      if (status !== 0)
        throw new CommandError(`cdk ${args.join(" ")} failed; nothing else is deleted.`);
    }
    console.log(
      "The bucket with the console's files is kept, since CloudFormation deletes no bucket that has objects. It has no data: delete it when you like.",
    );
    if (options.deletesData) {
      console.log("All data is deleted. The key of the secrets is deleted after 30 days.");
    } else printKept(options.prefix);
  });
}
