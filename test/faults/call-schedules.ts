import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { credentialsFor, tokenHeader } from "../../infra/local/access/credentials.ts";
import { operator } from "../../infra/local/operator.ts";
import { schedulesPath } from "../../infra/local/storage/endpoint.ts";
import type { Product } from "./product.ts";
import { scaleWait } from "./scale-wait.ts";

const Schedules = z.array(z.looseObject({ description: z.string(), due: z.int().nullable() }));
const Report = z.object({ failed: z.int() });
const pauseMs = 100;
const timeoutMs = scaleWait(300_000);

/** Calls the schedules of the product until it responds: a killed product is away for some seconds. */
const callSchedules = async (product: Product, request: RequestInit): Promise<unknown> => {
  for (const end = Date.now() + timeoutMs; Date.now() < end; ) {
    const { services, secret } = product.address();
    const headers = { [tokenHeader]: credentialsFor(secret, operator).sessionToken };
    try {
      const response = await fetch(services + schedulesPath, { ...request, headers });
      if (response.ok) return await response.json();
    } catch {
      // Not there; asked again below.
    }
    await sleep(pauseMs);
  }
  throw new Error("the schedules got no response");
};

/** Lists the schedules of the product. */
export const listSchedules = async (product: Product) =>
  Schedules.parse(await callSchedules(product, { method: "GET" }));

/** Fires every schedule that is due until a time, which may be in the future. */
export const fireSchedules = async (product: Product, until: number): Promise<void> => {
  const request = { method: "POST", body: JSON.stringify({ until }) };
  const { failed } = Report.parse(await callSchedules(product, request));
  if (failed > 0) throw new Error(`${failed} firings were not sent`);
};
