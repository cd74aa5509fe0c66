import { unwrapBody } from "../../../client/client.ts";
import type { SampleRequest } from "../../../lib/vendors/webhook-sample.ts";
import type { GlobalInput } from "../../command.ts";
import { type ExitCode, exitCodes, usage } from "../../exit.ts";
import type { Io } from "../../io.ts";
import { toNetworkError } from "../../network-error.ts";
import { printJson, printMessage } from "../../output.ts";
import { parseJson } from "../../parse-json.ts";
import { askSecret, canAsk } from "../../prompt.ts";
import { readSecret } from "../../read-secret.ts";
import { readText } from "../../read-text.ts";
import { openSession } from "../../session.ts";
import { buildDelivery } from "../../webhooks/sample-delivery.ts";

type Input = GlobalInput & {
  webhook: string;
  event: string | undefined;
  bodyFile: string | undefined;
  secretFile: string | undefined;
  secretEnv: string | undefined;
  keyFile: string | undefined;
  keyEnv: string | undefined;
};

/** Runs `wharf webhooks send`. */
export const sendDelivery = async (input: Input, io: Io): Promise<ExitCode> => {
  const { secret, key } = await readSecrets(input, io);
  const body = input.bodyFile === undefined ? undefined : await readText(input.bodyFile, io);
  const { client, tenant } = await openSession(input, io);
  const { id, provider, webhookUrl } = await unwrapBody(
    client.GET("/v1/tenants/{tenant}/webhooks/{webhook}", {
      params: { path: { tenant, webhook: input.webhook } },
    }),
  );
  const { event, request } = buildDelivery({ provider, event: input.event, body, secret });
  const url = key === undefined ? webhookUrl : `${webhookUrl}/${key}`;
  const { status, ok, text } = await post(url, webhookUrl, request);
  if (input.json) printJson(io, { webhookId: id, event, status });
  else if (ok) {
    printMessage(io, `Sent ${provider} ${event}: ${status}. See wharf webhooks deliveries ${id}`);
  }
  if (ok) return exitCodes.done;
  printMessage(io, `wharf: The delivery was refused (${status})${describeRefusal(text)}`);
  return exitCodes.failed;
};

const readSecrets = async (
  { secretFile, secretEnv, keyFile, keyEnv }: Input,
  io: Io,
): Promise<{ secret: string | undefined; key: string | undefined }> => {
  const secret = await readSecret({ name: "secret", file: secretFile, variable: secretEnv }, io);
  const key = await readSecret({ name: "key", file: keyFile, variable: keyEnv }, io);
  if (secret !== undefined || key !== undefined) return { secret, key };
  const entered = canAsk(io) ? (await askSecret(io, "Signing secret: ")).trim() : "";
  if (entered !== "") return { secret: entered, key };
  throw usage(
    "Set --secret-file or --secret-env to sign the delivery, or --key-file or --key-env for a webhook that takes an API key.",
  );
};

const timeLimitSeconds = 30;

/** Posts a delivery. `shownUrl` is the URL without a key, for messages. */
const post = async (url: string, shownUrl: string, { headers, body }: SampleRequest) => {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers,
      body: typeof body === "string" ? body : new Uint8Array(body),
      redirect: "manual",
      signal: AbortSignal.timeout(timeLimitSeconds * 1_000),
    });
    return { status: response.status, ok: response.ok, text: await response.text() };
  } catch (error) {
    throw toNetworkError(error, shownUrl, timeLimitSeconds);
  }
};

const describeRefusal = (text: string): string => {
  const { title, detail } = Object(parseJson(text));
  return typeof title === "string" ? `: ${title}: ${detail ?? ""}` : ".";
};
