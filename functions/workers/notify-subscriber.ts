import { consumer } from "../../lib/edge/consumer.ts";
import { lookBack } from "../../lib/webhooks/delivery/look-back.ts";
import { matchWaits } from "../../lib/webhooks/delivery/match-waits.ts";
import { notifySubscriber } from "../../lib/webhooks/delivery/notify-subscriber.ts";
import { notifySubscribers } from "../../lib/webhooks/delivery/notify-subscribers.ts";
import { dispatchDeps } from "../deps/dispatch-deps.ts";
import * as rows from "./messages.ts";

export const handler = consumer(rows.notifySubscriber, dispatchDeps, (message, deps, receipt) => {
  switch (message.type) {
    case "notify-subscriber":
      return notifySubscriber(deps, { message, attempt: receipt.attempt });
    case "notify-subscribers":
      return notifySubscribers(deps, { message, ...receipt });
    case "match-waits":
      return matchWaits(deps, message);
    case "look-back":
      return lookBack(deps, message);
  }
});
