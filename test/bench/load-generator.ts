import { Agent, request } from "node:http";
import { LoadOrder, type LoadResult } from "./load.ts";

/**
 * Sends requests over persistent connections, as soon as the previous response of the connection
 * arrives.
 */
const run = async (order: LoadOrder): Promise<LoadResult> => {
  const agent = new Agent({ keepAlive: true, maxSockets: order.connections });
  const latencies: number[] = [];
  const startedAt = performance.now();
  const end = startedAt + order.longestSeconds * 1_000;
  let left = order.requests;
  const connection = async (): Promise<void> => {
    while (left > 0 && performance.now() < end) {
      left -= 1;
      const sent = performance.now();
      await send(order, agent);
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: order.connections }, connection));
  const seconds = (performance.now() - startedAt) / 1_000;
  agent.destroy();
  return { seconds, latencies };
};

const send = ({ url, method, headers, body }: LoadOrder, agent: Agent): Promise<void> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent }, (response) => {
      const status = response.statusCode ?? 0;
      response.on("error", reject);
      response.on("end", () => {
        if (status >= 200 && status < 300) resolve();
        else reject(new Error(`${method} ${url} responded with ${status}`));
      });
      response.resume();
    });
    sent.on("error", reject);
    sent.end(body);
  });

process.on("message", (message) => {
  run(LoadOrder.parse(message)).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
