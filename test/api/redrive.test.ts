import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { expect, inject, test } from "vitest";
import * as z from "zod";
import { credentialsFor } from "../../infra/local/access/credentials.ts";
import { localRegion } from "../../infra/local/template/physical.ts";
import { deadLetterQueueName } from "../../infra/settings/names.ts";
import { toQueued } from "../../lib/platform/db/large-value.ts";
import type { DispatchDeliveryMessage } from "../../lib/webhooks/messages.ts";
import { newOrganization } from "../harness/api.ts";
import { packJson } from "../harness/pack-json.ts";

const run = promisify(execFile);
const Created = z.looseObject({ id: z.string() });
const Page = z.looseObject({ items: z.array(z.looseObject({ id: z.string() })) });

const redrive = (...args: string[]) => {
  const { dataDir } = inject("stack");
  const env = { ...process.env, WHARF_DATA_DIR: dataDir };
  return run(process.execPath, ["infra/commands/redrive.ts", ...args], { env });
};

/** Puts a message where one ends up that failed too often. */
const putDeadLetter = async (message: z.input<typeof DispatchDeliveryMessage>) => {
  const { services, secret } = inject("stack");
  const client = new SQSClient({
    endpoint: services,
    useQueueUrlAsEndpoint: false,
    region: localRegion,
    credentials: credentialsFor(secret, "operator"),
  });
  await client.send(
    new SendMessageCommand({
      QueueUrl: `${services}/000000000000/${deadLetterQueueName("Wharf", "deliveries")}`,
      MessageBody: JSON.stringify(message),
      MessageGroupId: message.tenantId,
    }),
  );
};

test("dead letters are redriven by one command", { tags: "nightly" }, async () => {
  const own = await newOrganization();
  const created = await own.send("POST", "/webhooks", { provider: "generic" });
  const { id: webhookId } = Created.parse(created.body);
  const ids = [randomUUID(), randomUUID(), randomUUID()];
  for (const id of ids) {
    await putDeadLetter({
      type: "dispatch-delivery",
      tenantId: own.tenantId,
      webhookId,
      id,
      content: {
        provider: "generic",
        eventType: null,
        deliveryId: id,
        receivedAt: Date.now(),
        ttl: Math.ceil(Date.now() / 1_000) + 86_400,
        size: 2,
        headers: {},
        payload: toQueued(packJson({})),
        keptAs: "payload",
        signatureHeaders: {},
      },
    });
  }
  const { stdout } = await redrive("--queue", "deliveries");
  expect(stdout).toMatch(/^\d+ messages moved back to deliveries\n$/);
  await expect
    .poll(
      async () => {
        const { body } = await own.send("GET", `/webhooks/${webhookId}/deliveries`);
        return Page.parse(body)
          .items.map(({ id }) => id)
          .toSorted();
      },
      { timeout: 15_000 },
    )
    .toEqual(ids.toSorted());
  expect((await redrive("--queue", "deliveries")).stdout).toBe(
    "0 messages moved back to deliveries\n",
  );
});

test("a queue that does not exist is refused with those that do", { tags: "nightly" }, async () => {
  await expect(redrive("--queue", "nonsense")).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining("--queue must be one of calls, chats, deliveries"),
  });
});
