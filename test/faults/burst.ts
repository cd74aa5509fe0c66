import { setTimeout as sleep } from "node:timers/promises";
import type { Product } from "./product.ts";
import { scaleWait } from "./scale-wait.ts";

/** As many kills as a message has attempts, closer together than the leases of work, which are 40 s and 60 s. */
const kills = 5;
const lifeMs = scaleWait(4_000);

/** Kills the product five times, four seconds after each start. */
export const killInBurst = async (product: Product): Promise<void> => {
  for (let kill = 0; kill < kills; kill += 1) {
    await sleep(lifeMs);
    await product.killAndRestart();
  }
};
