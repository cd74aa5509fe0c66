import { runCommand } from "./command.ts";
import { readConfig } from "./config.ts";
import { deletableVariable } from "./names.ts";
import { synthesize } from "./synthesize.ts";

// Entry of the CDK command line, which sets the output directory.
const deletable = process.env[deletableVariable] === "true";

await runCommand(async () => {
  await synthesize({
    outdir: process.env.CDK_OUTDIR ?? "cdk.out",
    config: readConfig(process.env),
    nag: !deletable,
    deletable,
  });
});
