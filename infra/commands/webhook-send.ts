import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import * as z from "zod";
import { findWebhookProvider } from "../../lib/vendors/registry/find-webhook-provider.ts";
import { findWebhookSample } from "../../lib/vendors/registry/find-webhook-sample.ts";
import { webhookProviderIds } from "../../lib/vendors/registry/ids.ts";
import type { WebhookProvider } from "../../lib/vendors/webhook-provider.ts";
import type { SampleRequest, WebhookSample } from "../../lib/vendors/webhook-sample.ts";
import { dataFolderPaths } from "../local/data-folder.ts";
import { LocalJson } from "../local/seed.ts";
import { CommandError, runCommand } from "../shell/command.ts";

const usage = `usage: npm run webhook:send -- --provider github [--event push]
  [--webhook id] [--url https://…/webhooks/github/{id}] [--key wharf_live_…] [--secret …] [--tenant demo]

Without --url, sends to the local product (npm start); without --webhook, creates a webhook there first.
--key is appended to the URL. --secret signs the delivery; for discord it is a private key (32 bytes, hex).
providers: ${webhookProviderIds.join(", ")}`;

const Options = z.object({
  provider: z.enum(
    webhookProviderIds,
    `--provider must be one of ${webhookProviderIds.join(", ")}`,
  ),
  event: z.string().optional(),
  webhook: z.uuid("--webhook must be a webhook ID").optional(),
  url: z.url("--url must be a webhook URL").optional(),
  key: z.string().min(1).optional(),
  secret: z.string().min(1).optional(),
  tenant: z.string().min(1).optional(),
});
type Options = z.output<typeof Options>;

const Created = z.object({ webhookUrl: z.string(), signingSecret: z.string().nullable() });

const readOptions = (args: readonly string[]): Options => {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        provider: { type: "string" },
        event: { type: "string" },
        webhook: { type: "string" },
        url: { type: "string" },
        key: { type: "string" },
        secret: { type: "string" },
        tenant: { type: "string" },
      },
    });
    return Options.parse(values);
  } catch (error) {
    const messages =
      error instanceof z.ZodError ? error.issues.map(({ message }) => message) : [String(error)];
    throw new CommandError(`${messages.join("\n")}\n${usage}`);
  }
};

const readLocalJson = (): LocalJson => {
  const { localJson: path } = dataFolderPaths(process.env.WHARF_DATA_DIR);
  if (!existsSync(path)) {
    throw new CommandError(
      `${path} does not exist. Start the product with npm start, set WHARF_DATA_DIR to its data folder, or set --url.`,
    );
  }
  return LocalJson.parse(JSON.parse(readFileSync(path, "utf8")));
};

/** URL and signing secret of a delivery; without a secret the key in the path authenticates it. */
type Target = { url: string; signWith: string | undefined };

const createWebhook = async (
  { provider, tenant, secret }: Options,
  { authMode, signing }: WebhookProvider,
  sample: WebhookSample,
): Promise<Target> => {
  const { baseUrl, userToken, tenantSlug } = readLocalJson();
  const createsSecret = authMode === "HMAC" && signing.issuedBy === "wharf";
  const own = secret ?? (createsSecret ? undefined : sample.newKey(randomBytes));
  const signingSecret = own === undefined ? undefined : (sample.toSigningSecret?.(own) ?? own);
  const response = await send(`${baseUrl}/v1/tenants/${tenant ?? tenantSlug}/webhooks`, {
    headers: { authorization: `Bearer ${userToken}`, "content-type": "application/json" },
    body: JSON.stringify({ provider, signingSecret }),
  });
  const text = await response.text();
  if (!response.ok) {
    throw new CommandError(`Cannot create a webhook: ${response.status} ${text}`);
  }
  const { webhookUrl, signingSecret: created } = Created.parse(JSON.parse(text));
  return { url: webhookUrl, signWith: own ?? created ?? undefined };
};

const resolveTarget = async (
  options: Options,
  provider: WebhookProvider,
  sample: WebhookSample,
): Promise<Target> => {
  const { url, webhook, secret, key, tenant } = options;
  if (url === undefined && webhook === undefined) return createWebhook(options, provider, sample);
  if (secret === undefined && key === undefined) {
    throw new CommandError("Set --secret to sign the delivery, --key for the URL, or both.");
  }
  if (url !== undefined) return { url, signWith: secret };
  const { baseUrl, tenantSlug } = readLocalJson();
  const path = `/v1/tenants/${tenant ?? tenantSlug}/webhooks/${provider.id}/${webhook}`;
  return { url: baseUrl + path, signWith: secret };
};

const send = async (url: string, { headers, body }: SampleRequest): Promise<Response> => {
  try {
    const bytes = typeof body === "string" ? body : new Uint8Array(body);
    return await fetch(url, { method: "POST", headers, body: bytes });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new CommandError(`${new URL(url).origin} is not reachable: ${String(cause)}`);
  }
};

await runCommand(async () => {
  const options = readOptions(process.argv.slice(2));
  const provider = findWebhookProvider(options.provider);
  const sample = findWebhookSample(options.provider);
  if (!provider || !sample) throw new CommandError(usage);
  const [first = ""] = Object.keys(sample.events);
  const event = options.event ?? first;
  const buildRequest = sample.events[event];
  if (!buildRequest) {
    const known = Object.keys(sample.events).join(", ");
    throw new CommandError(`${provider.id} has no sample ${event}. Samples: ${known}`);
  }
  const { url, signWith } = await resolveTarget(options, provider, sample);
  const now = Date.now();
  const request = buildRequest(now);
  const signed = signWith === undefined ? request : sample.sign(request, signWith, now);
  const response = await send(options.key ? `${url}/${options.key}` : url, signed);
  console.log(`${provider.id} ${event} -> ${url}${options.key ? "/…" : ""}`);
  console.log(`${response.status} ${await response.text()}`.trim());
  if (!response.ok) process.exitCode = 1;
});
