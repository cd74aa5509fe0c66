import * as z from "zod";
import type { AwsRequest } from "../harness/aws-request.ts";
import type { Forwarded } from "../harness/forward.ts";

const Receive = z.object({ QueueUrl: z.string() });
const Received = z.looseObject({ Messages: z.array(z.unknown()).default([]) });

/** Gathers the messages of a queue. */
export type Gathering = {
  /** Gathers the next `count` messages that a queue delivers. */
  start: (queue: string, count: number) => void;
  /** Returns the response to a call, with more messages received by `again` where they are gathered. */
  gather: (
    call: AwsRequest,
    reply: Forwarded,
    again: () => Promise<Forwarded>,
  ) => Promise<Forwarded>;
};

/** Creates what holds messages of a queue until there are as many as a batch is to have. */
export const createGathering = (): Gathering => {
  const wanted = new Map<string, number>();
  return {
    start: (queue, count) => {
      wanted.set(queue, count);
    },
    gather: async (call, reply, again) => {
      if (call.operation !== "ReceiveMessage" || wanted.size === 0) return reply;
      const { QueueUrl } = Receive.parse(JSON.parse(call.body.toString("utf8")));
      const queue = QueueUrl.split("/").at(-1) ?? "";
      const count = wanted.get(queue);
      const { Messages } = readMessages(reply);
      if (count === undefined || Messages.length === 0) return reply;
      wanted.delete(queue);
      while (Messages.length < count) Messages.push(...readMessages(await again()).Messages);
      return { ...reply, body: Buffer.from(JSON.stringify({ Messages })) };
    },
  };
};

const readMessages = ({ body }: Forwarded) => Received.parse(JSON.parse(body.toString("utf8")));
