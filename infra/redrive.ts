import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import {
  DeleteMessageBatchCommand,
  GetQueueUrlCommand,
  type Message,
  QueueDoesNotExist,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import * as z from "zod";
import { orderedQueues, queueNames } from "../lib/platform/queue/queues.ts";
import { CommandError, runCommand } from "./command.ts";
import { readConfig } from "./config.ts";
import { deadLetterQueueName, queueName } from "./names.ts";
import { useLocalStack } from "./operator-environment.ts";

const usage = `usage: npm run redrive -- --queue ${queueNames.join("|")} [--deployed]

Moves every message of the queue's dead-letter queue back to the queue. --deployed: in the AWS account of the
environment's credentials and STACK_PREFIX, in place of the product on this machine.`;

const Options = z.object({
  queue: z.enum(queueNames, `--queue must be one of ${queueNames.join(", ")}`),
  deployed: z.boolean().default(false),
});

const readOptions = (): z.output<typeof Options> => {
  try {
    const { values } = parseArgs({
      options: { queue: { type: "string" }, deployed: { type: "boolean" } },
    });
    return Options.parse(values);
  } catch (error) {
    const messages =
      error instanceof z.ZodError ? error.issues.map(({ message }) => message) : [String(error)];
    throw new CommandError(`${messages.join("\n")}\n${usage}`);
  }
};

const urlOf = async (client: SQSClient, name: string): Promise<string> => {
  try {
    const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName: name }));
    return QueueUrl ?? "";
  } catch (error) {
    if (!(error instanceof QueueDoesNotExist)) throw error;
    throw new CommandError(`There is no queue ${name}: check STACK_PREFIX, region and account.`);
  }
};

/** Messages that another run holds come back after the queue's visibility timeout, so nothing falls between. */
const receive = async (client: SQSClient, QueueUrl: string): Promise<Message[]> => {
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: 10,
      WaitTimeSeconds: 1,
      MessageSystemAttributeNames: ["MessageGroupId"],
    }),
  );
  return Messages;
};

/** A message is deleted once it is on the other queue: what is cut off between comes twice, and may. */
const move = async (
  client: SQSClient,
  messages: readonly Message[],
  { from, to, isOrdered }: { from: string; to: string; isOrdered: boolean },
): Promise<number> => {
  const { Successful = [] } = await client.send(
    new SendMessageBatchCommand({
      QueueUrl: to,
      Entries: messages.map(({ Body, Attributes }, at) => ({
        Id: String(at),
        MessageBody: Body,
        MessageGroupId: Attributes?.MessageGroupId,
        // Its own, lest the queue takes it for what it was sent five minutes ago.
        ...(isOrdered && { MessageDeduplicationId: randomUUID() }),
      })),
    }),
  );
  const Entries = Successful.flatMap(({ Id }) => {
    const ReceiptHandle = messages[Number(Id)]?.ReceiptHandle;
    return Id !== undefined && ReceiptHandle ? [{ Id, ReceiptHandle }] : [];
  });
  if (Entries.length === 0) throw new CommandError("The queue refuses the messages.");
  await client.send(new DeleteMessageBatchCommand({ QueueUrl: from, Entries }));
  return Entries.length;
};

await runCommand(async () => {
  const { queue, deployed } = readOptions();
  const { STACK_PREFIX } = readConfig(process.env);
  const endpoint = deployed ? {} : { endpoint: useLocalStack("give --deployed").services };
  const client = new SQSClient({ ...endpoint, useQueueUrlAsEndpoint: deployed });
  const [from, to] = await Promise.all([
    urlOf(client, deadLetterQueueName(STACK_PREFIX, queue)),
    urlOf(client, queueName(STACK_PREFIX, queue)),
  ]);
  const isOrdered = orderedQueues.includes(queue);
  let moved = 0;
  for (;;) {
    const messages = await receive(client, from);
    if (messages.length === 0) break;
    moved += await move(client, messages, { from, to, isOrdered });
  }
  console.log(`${moved} ${moved === 1 ? "message" : "messages"} moved back to ${queue}`);
});
