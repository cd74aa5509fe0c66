import { parseArgs } from "node:util";
import * as z from "zod";
import { readStackOutputs } from "../deployed/stack-outputs.ts";
import { readConfig } from "../settings/config.ts";
import { stackName, stageName } from "../settings/names.ts";
import { requireAccount } from "../shell/cdk.ts";
import { CommandError, runCommand } from "../shell/command.ts";
import { checks, type World } from "../smoke/checks.ts";
import { expectStatus, readAs, smokeClient } from "../smoke/client.ts";

const usage = `usage: npm run smoke -- [--url URL] (--token TOKEN | --key KEY) [--tenant SLUG]

Checks a deployment, deletes the resources that it created, and fails when a check failed.
--token: an ID token of an admin; --key: an API key with the scopes of Admin. WHARF_TOKEN and WHARF_API_KEY may
replace them. --tenant: by default the first one that the credential sees.`;

const text = { type: "string" } as const;

const Options = z.object({
  url: z.url({ protocol: /^https?$/, error: "--url must be an http or https URL" }).optional(),
  token: z.string().min(1).optional(),
  key: z.string().min(1).optional(),
  tenant: z.string().min(1).optional(),
});

const readOptions = () => {
  try {
    const { values } = parseArgs({ options: { url: text, token: text, key: text, tenant: text } });
    return Options.parse(values);
  } catch (error) {
    const lines =
      error instanceof z.ZodError
        ? error.issues.map(({ message }) => message)
        : [error instanceof Error ? error.message : String(error)];
    throw new CommandError([...lines, usage].join("\n"));
  }
};

const buildAuthHeaders = ({ token, key }: z.output<typeof Options>): Record<string, string> => {
  const bearer = token ?? (key === undefined ? process.env.WHARF_TOKEN : undefined);
  if (bearer !== undefined) return { authorization: `Bearer ${bearer}` };
  const secret = key ?? process.env.WHARF_API_KEY;
  if (secret !== undefined) return { "x-api-key": secret };
  throw new CommandError(`--token or --key is required\n${usage}`);
};

const Document = z.looseObject({ servers: z.array(z.object({ url: z.string() })).min(1) });

/** Returns the address of the API: the given one, with the stage where API Gateway requires it, or that of the stacks. */
const findAddress = async (given: string | undefined): Promise<string> => {
  if (given !== undefined) {
    const { origin, pathname, hostname } = new URL(given);
    const isBare = hostname.includes(".execute-api.") && pathname === "/";
    return `${origin}${isBare ? `/${stageName}` : pathname}`.replace(/\/$/, "");
  }
  const stack = stackName(readConfig(process.env).STACK_PREFIX, "Api");
  await requireAccount("find the address");
  const address = (await readStackOutputs(stack))?.get("PublicUrl");
  if (address !== undefined) return address.replace(/\/$/, "");
  throw new CommandError(
    `The stack ${stack} does not exist or has no output PublicUrl: give --url.`,
  );
};

/** Returns the address that the API gives out, at which all checks run. */
const findPublicAddress = async (address: string): Promise<string> => {
  const path = `${address}/v1/openapi.json`;
  const response = await smokeClient(address, {}).send("GET", path, { isPublic: true });
  const [server] = readAs(Document, expectStatus(response, 200)).servers;
  const publicAddress = new URL(server?.url ?? "", path).href.replace(/\/$/, "");
  if (publicAddress !== address) console.log(`${address} gives out ${publicAddress}`);
  return publicAddress;
};

const Tenants = z.array(z.looseObject({ slug: z.string() }));

const formatError = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
};

/** Removes what the checks created, last first; returns what could not be removed. */
const cleanUp = async ({ cleanups }: World): Promise<string[]> => {
  const left: string[] = [];
  for (const { name, remove } of cleanups.toReversed()) {
    try {
      expectStatus(await remove(), 204, 404);
    } catch (error) {
      left.push(`The ${name} was not removed: ${formatError(error)}`);
    }
  }
  return left;
};

await runCommand(async () => {
  const options = readOptions();
  const credential = buildAuthHeaders(options);
  const url = await findPublicAddress(await findAddress(options.url)).catch(rethrow);
  const client = smokeClient(url, credential);
  const findTenant = async (): Promise<string> => {
    const tenants = readAs(Tenants, expectStatus(await client.send("GET", "/v1/tenants"), 200));
    const [first] = tenants;
    if (first) return first.slug;
    throw new CommandError("The credential sees no tenant. Create one, or see npm run bootstrap.");
  };
  const slug = options.tenant ?? (await findTenant().catch(rethrow));
  const tenant = `/v1/tenants/${slug}`;
  const world: World = { client, tenant, agent: `${tenant}/agents/none`, cleanups: [] };
  let failed = 0;
  for (const { name, run } of checks) {
    const start = performance.now();
    try {
      await run(world);
      console.log(`passed  ${name} (${Math.round(performance.now() - start)} ms)`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED  ${name}\n        ${formatError(error)}`);
    }
  }
  const left = await cleanUp(world);
  for (const line of left) console.log(line);
  console.log(`${checks.length - failed} of ${checks.length} passed at ${url}`);
  console.log("Not checked here: docs/deploying.md#what-only-a-real-account-can-settle");
  if (failed + left.length > 0) process.exitCode = 1;
});

/** Reports why the deployment cannot be tested at all. */
function rethrow(error: unknown): never {
  if (error instanceof CommandError) throw error;
  throw new CommandError(`Cannot start: ${formatError(error)}`);
}
