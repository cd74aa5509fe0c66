import { alertEmailFrom } from "../../platform/runtime/env.ts";
import { log } from "../../platform/runtime/log.ts";
import { once } from "../../platform/runtime/once.ts";

/** A plain text mail; `subject` is a single line. */
export type Mail = { to: string; subject: string; text: string };

/** Sends a mail; resolves once it is accepted for delivery. */
export type SendMail = (mail: Mail) => Promise<void>;

const ses = once(async () => {
  const sdk = await import("@aws-sdk/client-sesv2");
  return { sdk, client: new sdk.SESv2Client({}) };
});

const utf8 = (Data: string) => ({ Data, Charset: "UTF-8" });
let isWarned = false;

/** Sends a mail through SES from ALERT_EMAIL_FROM. Without that setting, logs one warning and sends nothing. */
export const sendMail: SendMail = async ({ to, subject, text }) => {
  const from = alertEmailFrom();
  if (from === undefined) {
    if (!isWarned) log("mails-disabled");
    isWarned = true;
    return;
  }
  const { sdk, client } = await ses();
  await client.send(
    new sdk.SendEmailCommand({
      FromEmailAddress: from,
      Destination: { ToAddresses: [to] },
      Content: { Simple: { Subject: utf8(subject), Body: { Text: utf8(text) } } },
    }),
  );
};
