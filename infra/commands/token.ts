import { parseArgs } from "node:util";
import * as z from "zod";
import { existingDataFolder } from "../local/data-folder.ts";
import { loadIssuerKey, mintUserToken } from "../local/issuer.ts";
import { StopError } from "../local/stop-error.ts";

const usage =
  "usage: npm run token -- [--org local] [--role admin|builder|runner|read-only] [--user someone@example.com] [--ttl 3600]";

const Options = z.object({
  org: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._|:-]{0,127}$/, "--org must be an organization ID"),
  role: z.enum(
    ["admin", "builder", "runner", "read-only"],
    "--role must be admin, builder, runner or read-only",
  ),
  user: z.email("--user must be an e-mail address"),
  ttl: z
    .string()
    .regex(/^[1-9][0-9]{0,8}$/, "--ttl must be a whole number of seconds")
    .transform(Number),
});

const readOptions = (args: readonly string[]): z.output<typeof Options> | string => {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        org: { type: "string", default: "local" },
        role: { type: "string", default: "builder" },
        user: { type: "string", default: "someone@example.com" },
        ttl: { type: "string", default: "3600" },
      },
    });
    const parsed = Options.safeParse(values);
    return parsed.success
      ? parsed.data
      : parsed.error.issues.map(({ message }) => message).join("\n");
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const options = readOptions(process.argv.slice(2));
if (typeof options === "string") {
  console.error(`${options}\n${usage}`);
  process.exitCode = 2;
} else {
  try {
    const folder = existingDataFolder(process.env.WHARF_DATA_DIR);
    const { ttl: ttlSeconds, ...claims } = options;
    console.log(
      await mintUserToken(await loadIssuerKey(folder.issuerKey), { ...claims, ttlSeconds }),
    );
  } catch (error) {
    if (!(error instanceof StopError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
