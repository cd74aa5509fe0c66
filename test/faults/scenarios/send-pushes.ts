import { createHmac } from "node:crypto";
import * as z from "zod";
import type { TestTenant } from "../world.ts";

/** A webhook of GitHub, as its creation returns it. */
export const Webhook = z.looseObject({ id: z.string(), signingSecret: z.string() });
type Webhook = z.output<typeof Webhook>;

/** Pushes of GitHub to a webhook. */
export type Pushes = {
  /** Sends the signed push of a number. */
  deliver: (n: number) => Promise<void>;
  /** Numbers of the pushes that were accepted. */
  accepted: ReadonlySet<number>;
  /** Responses that were not 204. */
  wrong: readonly string[];
};

/** Starts to send pushes to a webhook, with their number as payload and delivery id. */
export const sendPushes = (tenant: TestTenant, webhook: Webhook): Pushes => {
  const accepted = new Set<number>();
  const wrong: string[] = [];
  const deliver = async (n: number): Promise<void> => {
    const raw = JSON.stringify({ n });
    const signature = createHmac("sha256", webhook.signingSecret).update(raw).digest("hex");
    const response = await tenant.send("POST", `/webhooks/github/${webhook.id}`, {
      raw,
      headers: {
        "X-GitHub-Event": "push",
        "X-GitHub-Delivery": `delivery-${n}`,
        "X-Hub-Signature-256": `sha256=${signature}`,
      },
    });
    if (response.status === 204) accepted.add(n);
    else wrong.push(`delivery ${n}: ${response.status} ${response.text.slice(0, 300)}`);
  };
  return { deliver, accepted, wrong };
};
