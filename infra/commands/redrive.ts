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
import { orderedQueues, queueNames } from "../../lib/platform/queue/queues.ts";
import { useLocalStack } from "../local/operator-environment.ts";
import { readConfig } from "../settings/config.ts";
import { deadLetterQueueName, queueName } from "../settings/names.ts";
import { CommandError, runCommand } from "../shell/command.ts";

const usage = `usage: npm run redrive -- --queue ${queueNames.join("|")} [--deployed]

Moves all messages of the dead-letter queue back to the queue. --deployed: on AWS, with the credentials and
STACK_PREFIX of the environment; by default on the local stack.`;

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

const getQueueUrl = async (client: SQSClient, name: string): Promise<string> => {
  try {
    const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName: name }));
    return QueueUrl ?? "";
  } catch (error) {
    if (!(error instanceof QueueDoesNotExist)) throw error;
    throw new CommandError(
      `The queue ${name} does not exist. Check STACK_PREFIX, region and account.`,
    );
  }
};

/** Receives a batch. Messages in flight in another run become visible again after the visibility timeout. */
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

/** Sends messages to the queue, then deletes them: an interruption in between duplicates a message, never loses one. */
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
        // A new ID: the queue would drop a duplicate of the last five minutes.
        ...(isOrdered && { MessageDeduplicationId: randomUUID() }),
      })),
    }),
  );
  const Entries = Successful.flatMap(({ Id }) => {
    const ReceiptHandle = messages[Number(Id)]?.ReceiptHandle;
    return Id !== undefined && ReceiptHandle ? [{ Id, ReceiptHandle }] : [];
  });
  if (Entries.length === 0) throw new CommandError("The queue rejected the messages.");
  await client.send(new DeleteMessageBatchCommand({ QueueUrl: from, Entries }));
  return Entries.length;
};

await runCommand(async () => {
  const { queue, deployed } = readOptions();
  const { STACK_PREFIX } = readConfig(process.env);
  const endpoint = deployed ? {} : { endpoint: useLocalStack("give --deployed").services };
  const client = new SQSClient({ ...endpoint, useQueueUrlAsEndpoint: deployed });
  const [from, to] = await Promise.all([
    getQueueUrl(client, deadLetterQueueName(STACK_PREFIX, queue)),
    getQueueUrl(client, queueName(STACK_PREFIX, queue)),
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
