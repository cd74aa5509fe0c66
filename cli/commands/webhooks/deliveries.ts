import { unwrapBody } from "../../../client/client.ts";
import type { WebhookDelivery } from "../../../client/openapi.ts";
import type { GlobalInput } from "../../command.ts";
import type { Io } from "../../io.ts";
import { listAll } from "../../list.ts";
import { printList, showTime } from "../../output.ts";
import { openSession } from "../../session.ts";

type Input = GlobalInput & { webhook: string; limit: number | undefined };

/** Runs `wharf webhooks deliveries`. */
export const listDeliveries = async (input: Input, io: Io): Promise<void> => {
  const { webhook, limit = 50 } = input;
  const { client, tenant } = await openSession(input, io);
  const items = await listAll(
    (query) =>
      unwrapBody(
        client.GET("/v1/tenants/{tenant}/webhooks/{webhook}/deliveries", {
          params: { path: { tenant, webhook }, query },
        }),
      ),
    limit,
    io,
  );
  printList(io, input, { items, none: "No deliveries found.", heading, toRow });
};

const heading = ["ID", "RECEIVED", "EVENT", "STATUS", "SIZE", "RESULTS"];

const toRow = (delivery: WebhookDelivery): string[] => [
  delivery.id,
  showTime(delivery.receivedAt),
  delivery.eventType ?? "",
  delivery.status,
  String(delivery.size),
  describeResults(delivery),
];

const describeResults = ({ matched, results }: WebhookDelivery): string => {
  if (matched === false) return "no subscriber matched";
  return results
    .map(({ status: result, error, executionId }) => {
      if (error) return `${result}: ${error}`;
      return executionId === null ? result : `${result}: execution ${executionId}`;
    })
    .join("; ");
};
