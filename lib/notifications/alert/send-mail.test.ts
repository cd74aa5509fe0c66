import { Logger } from "@aws-lambda-powertools/logger";
import { expect, test, vi } from "vitest";
import { logMessages } from "../../platform/runtime/telemetry.ts";

test("without a sender's address, nothing is sent and one warning is logged", async () => {
  vi.stubEnv("ALERT_EMAIL_FROM", undefined);
  // The warning is logged once in a process, which other files share.
  vi.resetModules();
  const { sendMail } = await import("./send-mail.ts");
  const warn = vi.spyOn(Logger.prototype, "warn");
  const mail = { to: "ada@example.com", subject: "Question", text: "Decide it." };
  await sendMail(mail);
  await sendMail(mail);
  const texts = warn.mock.calls.map(([text]) => text);
  warn.mockRestore();
  expect(texts.filter((text) => text === logMessages["mails-disabled"].text)).toHaveLength(1);
});
