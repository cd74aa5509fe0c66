import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { CountedStack } from "./counted-stack.ts";
import { createWebhook, githubPush } from "./objects.ts";
import type { BenchStack } from "./stack.ts";

let sent = 0;

/** GitHub's headers of a new delivery. */
export const newPushHeaders = (): Record<string, string> => {
  sent += 1;
  return {
    "x-github-event": "push",
    "x-github-delivery": `72d3162e-cc78-11e3-81ab-${String(sent).padStart(12, "0")}`,
  };
};

/** Returns the work of a push to one agent that only its signature authenticates. */
export const pushSigned = async (
  stack: BenchStack,
  agentId: string,
): Promise<() => Promise<void>> => {
  const { signed, secret } = await createWebhook(stack, "github", { agentId, count: 1 });
  return async () => {
    const headers = newPushHeaders();
    // A body that came before is a duplicate.
    const body = JSON.stringify({ ...githubPush, after: headers["x-github-delivery"] });
    const digest = createHmac("sha256", secret).update(body).digest("hex");
    const response = await fetch(stack.baseUrl + signed, {
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/json",
        "x-hub-signature-256": `sha256=${digest}`,
      },
      body,
    });
    if (!response.ok) throw new Error(`${signed} returned ${response.status}`);
  };
};

/** Sends pushes that the dispatcher receives in one batch. */
export const pushTogether = async (
  stack: CountedStack,
  inbound: string,
  count: number,
): Promise<void> => {
  stack.gather("deliveries", count);
  const pushes = Array.from({ length: count }, () =>
    stack.send("POST", inbound, githubPush, newPushHeaders()),
  );
  await Promise.all(pushes);
};

/** Sends pushes at a steady rate, whatever the time of their responses; resolves when all are accepted. */
export const pushAtRate = async (
  stack: BenchStack,
  inbound: string,
  { perSecond, count }: { perSecond: number; count: number },
): Promise<void> => {
  const start = performance.now();
  const pushes = Array.from({ length: count }, async (_, at) => {
    await sleep(Math.max(0, start + (at * 1_000) / perSecond - performance.now()));
    await stack.send("POST", inbound, githubPush, newPushHeaders());
  });
  await Promise.all(pushes);
};
