import { alertEmailFrom } from "../../platform/runtime/env.ts";
import { log } from "../../platform/runtime/log.ts";
import { once } from "../../platform/runtime/once.ts";

/** A plain text mail. `subject` is one line. */
export type Mail = { to: string; subject: string; text: string };

/** Sends a mail; resolves when it was taken for sending. */
export type SendMail = (mail: Mail) => Promise<void>;

const ses = once(async () => {
  const sdk = await import("@aws-sdk/client-sesv2");
  return { sdk, client: new sdk.SESv2Client({}) };
});

const utf8 = (Data: string) => ({ Data, Charset: "UTF-8" });
let wasTold = false;

/** Sends by SES, from ALERT_EMAIL_FROM. Without that setting no mail is sent, which is logged once. */
export const sendMail: SendMail = async ({ to, subject, text }) => {
  const from = alertEmailFrom();
  if (from === undefined) {
    if (!wasTold) log().warn("no alert is sent by mail: ALERT_EMAIL_FROM is not set");
    wasTold = true;
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
