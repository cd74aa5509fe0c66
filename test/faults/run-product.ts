import * as z from "zod";
import { runProduct } from "../../infra/local/run.ts";
import { readLocalSettings } from "../../infra/local/settings.ts";
import { setClockAhead } from "./product-clock.ts";

const Moved = z.object({ aheadMs: z.number() });
setClockAhead(Number(process.env.CLOCK_AHEAD_MS ?? 0));
process.on("message", (sent) => setClockAhead(Moved.parse(sent).aheadMs));

/** Runs the product for a parent that may kill it. Its functions reach the AWS services by `FAULT_PROXY`. */
const proxy = process.env.FAULT_PROXY ?? "";
const product = await runProduct(
  readLocalSettings(process.env),
  (line) => {
    process.send?.({ type: "line", line });
    if (process.env.FAULTS_VERBOSE) console.error(line);
  },
  {
    clock: { first: 500, every: 3_000 },
    via: async (services) => {
      process.send?.({ type: "services", services });
      return proxy;
    },
  },
);
const { services, secret, dynamodbEndpoint, table } = product.stack;
const { userToken } = product.localJson ?? {};
process.send?.({
  type: "ready",
  baseUrl: product.baseUrl,
  services,
  secret,
  dynamodbEndpoint,
  table,
  userToken,
});
process.on("disconnect", () => process.exit(0));
