import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { SESv2Client, SendEmailCommand } from "@aws-sdk/client-sesv2";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readAccessKeyId } from "../../infra/local/access/caller.ts";
import { createSesEndpoint, sendEmailPath } from "../../infra/local/storage/ses.ts";
import type { Access } from "../../infra/local/template/authorizer.ts";

const folder = mkdtempSync(join(tmpdir(), "wharf-ses-"));
const outbox = join(folder, "outbox");
const asked: { caller: string; accesses: readonly Access[] }[] = [];

/** Allows only the caller `mailer` to send. */
const endpoint = createSesEndpoint(outbox, (caller, accesses) => {
  asked.push({ caller, accesses });
  return caller === "mailer" ? undefined : "not authorized";
});
const server = createServer(async (request, response) => {
  expect([request.method, request.url]).toEqual(["POST", sendEmailPath]);
  endpoint(readAccessKeyId(request.headers.authorization), await buffer(request), response);
});

describe("a mail", () => {
  let url = "";

  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  });
  beforeEach(() => rmSync(outbox, { recursive: true, force: true }));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });

  const send = (to: string, subject: string, from = "alerts@example.com", caller = "mailer") =>
    new SESv2Client({
      endpoint: url,
      region: "us-east-1",
      credentials: { accessKeyId: caller, secretAccessKey: "local" },
    }).send(
      new SendEmailCommand({
        FromEmailAddress: from,
        Destination: { ToAddresses: [to] },
        Content: {
          Simple: { Subject: { Data: subject }, Body: { Text: { Data: "Grüße\nAda" } } },
        },
      }),
    );
  const mails = () =>
    (existsSync(outbox) ? readdirSync(outbox) : []).map((name) =>
      readFileSync(join(outbox, name), "utf8"),
    );

  test("is written as an .eml file, with the permission of the sender's domain", async () => {
    const { MessageId } = await send("ada@example.com", "Hello");
    const [mail = "", ...more] = mails();
    expect(more).toEqual([]);
    const [head = "", body] = mail.split("\r\n\r\n");
    expect(head.split("\r\n")).toEqual([
      "From: alerts@example.com",
      "To: ada@example.com",
      "Subject: Hello",
      expect.stringMatching(/^Date: \w{3}, \d{2} \w{3} \d{4} [\d:]{8} GMT$/),
      `Message-ID: <${MessageId}@wharf.localhost>`,
      "MIME-Version: 1.0",
      "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: 8bit",
    ]);
    expect(body).toBe("Grüße\r\nAda");
    const { caller, accesses = [] } = asked.at(-1) ?? {};
    expect(caller).toBe("mailer");
    // In the sandbox of SES, the identity of the recipient is authorized, too.
    expect(accesses.map(({ action, resource }) => [action, resource])).toEqual(
      ["example.com", "example.com"].map((domain) => [
        "ses:SendEmail",
        `arn:aws:ses:us-east-1:000000000000:identity/${domain}`,
      ]),
    );
    expect(accesses[0]?.context?.().get("ses:FromAddress")).toEqual(["alerts@example.com"]);
  });

  test("without permission is rejected", async () => {
    const refused = send("ada@example.com", "Hello", "alerts@example.com", "other");
    await expect(refused).rejects.toMatchObject({ name: "AccessDeniedException" });
    expect(mails()).toEqual([]);
  });

  test.each(["a@b.c\r\nBcc: d@e.f", "a@b.c, d@e.f", "Ada <a@b.c>", "a", ""])(
    "to %j is rejected",
    async (to) => {
      await expect(send(to, "Hello")).rejects.toMatchObject({ name: "BadRequestException" });
      expect(mails()).toEqual([]);
    },
  );

  test("has its subject in UTF-8", async () => {
    await send("ada@example.com", `Grüße ${"ü".repeat(60)}`);
    expect(mails()[0]?.split("\r\n")).toContain(`Subject: Grüße ${"ü".repeat(60)}`);
  });

  test("with a line break in its subject is rejected", async () => {
    const rejected = send("ada@example.com", "Hello\r\nBcc: d@e.f");
    await expect(rejected).rejects.toMatchObject({ name: "BadRequestException" });
    expect(mails()).toEqual([]);
  });
});
