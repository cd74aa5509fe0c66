import { unwrapBody } from "../../../client/client.ts";
import { parseForwardUrl } from "../../address.ts";
import { showDuration } from "../../amounts.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { printJsonLine, printMessage } from "../../output.ts";
import { printable } from "../../printable.ts";
import { openSession } from "../../session.ts";
import { createStyle } from "../../style.ts";
import { arrivals } from "../../webhooks/arrivals.ts";
import { type Forwarded, forward } from "../../webhooks/forward.ts";

type Input = GlobalInput & {
  webhook: string;
  forwardTo: string;
  replayLast: number | undefined;
  interval: number | undefined;
};

/** Runs `wharf webhooks listen`. */
export const listenToWebhook = async (input: Input, io: Io): Promise<void> => {
  const { webhook, replayLast = 0, interval: intervalSeconds = 1 } = input;
  const url = parseForwardUrl(input.forwardTo);
  const session = await openSession(input, io);
  const { client, tenant } = session;
  const { webhookUrl } = await unwrapBody(
    client.GET("/v1/tenants/{tenant}/webhooks/{webhook}", {
      params: { path: { tenant, webhook } },
    }),
  );
  printMessage(io, `Forwarding deliveries of ${webhookUrl} to ${url}. Press Ctrl-C to stop.`);
  const signal = io.interrupt();
  const options = { webhook, replayLast, intervalSeconds, signal };
  for await (const { id: delivery } of arrivals(session, options)) {
    const detail = await unwrapBody(
      client.GET("/v1/tenants/{tenant}/webhooks/{webhook}/deliveries/{delivery}", {
        params: { path: { tenant, webhook, delivery } },
      }),
    );
    const forwarded = await forward(detail, url, signal);
    if (input.json) printJsonLine(io, forwarded);
    else io.stdout.write(`${toLine(forwarded, io)}\n`);
  }
};

const toLine = (
  { deliveryId, eventType, status, milliseconds, error }: Forwarded,
  io: Io,
): string => {
  const style = createStyle(io.stdout, io);
  const isDone = status !== null && status < 300;
  const shown = status === null ? "failed" : String(status);
  return [
    (isDone ? style.green : style.red)(shown),
    showDuration(milliseconds),
    printable(eventType ?? "(no type)"),
    printable(deliveryId),
    ...(error === null ? [] : [printable(error)]),
  ].join("  ");
};
