import { randomUUID } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import * as z from "zod";
import type { Guard } from "../access/guard.ts";
import { localAccount, localRegion } from "../template/physical.ts";

/** Path of SendEmail in SES API v2. */
export const sendEmailPath = "/v2/email/outbound-emails";

/** Handles a SendEmail request. */
export type SesEndpoint = (caller: string, body: Buffer, response: ServerResponse) => void;

/** An address without characters that could inject a header. */
const Address = z.string().regex(/^[^\s<>,;:"]+@[^\s<>,;:"@]+$/);
/** A subject without characters that could inject a header. */
const Subject = z.string().regex(/^\P{Cc}*$/u);
const SendEmail = z.object({
  FromEmailAddress: Address,
  Destination: z.object({ ToAddresses: z.array(Address).min(1).max(50) }),
  Content: z.object({
    Simple: z.object({
      Subject: z.object({ Data: Subject }),
      Body: z.object({ Text: z.object({ Data: z.string() }) }),
    }),
  }),
});
type SendEmail = z.output<typeof SendEmail>;

/**
 * Creates the SES endpoint: writes plain-text mail to `{time}-{id}.eml` in the directory. Permissions apply to
 * the identity of the sender's domain.
 */
export const createSesEndpoint = (directory: string, guard: Guard): SesEndpoint => {
  const send = (mail: SendEmail): string => {
    const id = randomUUID();
    const now = new Date();
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const name = `${now.toISOString().replaceAll(/[:.]/g, "-")}-${id}.eml`;
    writeFileSync(join(directory, name), toText(mail, id, now), { mode: 0o600 });
    return id;
  };
  return (caller, body, response) => {
    const parsed = SendEmail.safeParse(readJson(body));
    if (!parsed.success) {
      const places = parsed.error.issues.map(({ path }) => path.join(".")).join(", ");
      return respond(response, 400, "BadRequestException", {
        message: `Invalid values: ${places}`,
      });
    }
    const { FromEmailAddress: from, Destination } = parsed.data;
    // In the sandbox, the identities of recipients are authorized, too.
    const accesses = [from, ...Destination.ToAddresses].map((address) => ({
      action: "ses:SendEmail",
      resource: `arn:aws:ses:${localRegion}:${localAccount}:identity/${address.split("@")[1] ?? ""}`,
      context: () => new Map([["ses:FromAddress", [from]]]),
    }));
    const refusal = guard(caller, accesses);
    if (refusal !== undefined) {
      return respond(response, 403, "AccessDeniedException", { message: refusal });
    }
    respond(response, 200, undefined, { MessageId: send(parsed.data) });
  };
};

const readJson = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
};

/** Sends a response in the JSON protocol of SES, with the error type in a header. */
const respond = (
  response: ServerResponse,
  status: number,
  fault: string | undefined,
  body: unknown,
): void => {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...(fault !== undefined && { "x-amzn-errortype": fault }),
  });
  response.end(text);
};

/** Formats mail with UTF-8 headers (RFC 6532). */
const toText = ({ FromEmailAddress, Destination, Content }: SendEmail, id: string, now: Date) =>
  [
    `From: ${FromEmailAddress}`,
    `To: ${Destination.ToAddresses.join(", ")}`,
    `Subject: ${Content.Simple.Subject.Data}`,
    `Date: ${now.toUTCString()}`,
    `Message-ID: <${id}@wharf.localhost>`,
    "MIME-Version: 1.0",
    "Content-Type: text/plain; charset=utf-8",
    "Content-Transfer-Encoding: 8bit",
    "",
    Content.Simple.Body.Text.Data.replaceAll(/\r?\n/g, "\r\n"),
  ].join("\r\n");
