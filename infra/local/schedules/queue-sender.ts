import { Pool } from "undici";
import * as z from "zod";
import { splitEvery } from "../../../lib/platform/runtime/split-every.ts";
import { awsCaller } from "../access/aws-call.ts";
import { credentialsFor } from "../access/credentials.ts";
import { localAccount } from "../template/physical.ts";
import type { SchedulerRole } from "../template/scheduler.ts";
import type { SendAs } from "./fire.ts";

const Sent = z.object({ Successful: z.array(z.object({ Id: z.string() })).default([]) });

const batchSize = 10;
const batchesAtOnce = 8;

/** Creates a sender to the local queues: ten messages per call, with the role's own permissions. */
export const queueSender = ({
  services,
  secret,
  roles,
  print,
}: {
  /** Base URL of the local services. */
  services: string;
  /** Derives the roles' session tokens. */
  secret: string;
  roles: readonly SchedulerRole[];
  print: (line: string) => void;
}): { sendAs: SendAs; close: () => Promise<void> } => {
  const pool = new Pool(services);

  const sendBatch = async (
    role: SchedulerRole,
    queueArn: string,
    batch: readonly string[],
  ): Promise<boolean[]> => {
    const queue = queueArn.split(":").at(-1) ?? "";
    try {
      const response = await awsCaller(
        pool,
        "sqs",
        credentialsFor(secret, role.name),
      )("SendMessageBatch", {
        QueueUrl: `${services}/${localAccount}/${queue}`,
        Entries: batch.map((MessageBody, at) => ({ Id: String(at), MessageBody })),
      });
      const sent = new Set(Sent.parse(response).Successful.map(({ Id }) => Id));
      return batch.map((_, at) => sent.has(String(at)));
    } catch (error) {
      print(`cannot send scheduled messages to the queue ${queue}: ${String(error)}`);
      return batch.map(() => false);
    }
  };

  return {
    sendAs: async ({ roleArn, queueArn }, messages) => {
      const role = roles.find(({ arn }) => arn === roleArn);
      if (!role) return messages.map(() => false);
      const results: boolean[][] = [];
      const batches = splitEvery(messages, batchSize);
      for (let start = 0; start < batches.length; start += batchesAtOnce) {
        const some = batches.slice(start, start + batchesAtOnce);
        results.push(...(await Promise.all(some.map((batch) => sendBatch(role, queueArn, batch)))));
      }
      return results.flat();
    },
    close: () => pool.destroy(),
  };
};
