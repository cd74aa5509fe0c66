import { consumer } from "../../lib/edge/consumer.ts";
import { dispatchDeps } from "../../lib/webhooks/delivery/deps.ts";
import { notifySubscriber as notifyOne } from "../../lib/webhooks/delivery/notify-subscriber.ts";
import { notifySubscribers as notifySeveral } from "../../lib/webhooks/delivery/notify-subscribers.ts";
import { notifySubscriber } from "./messages.ts";

export const handler = consumer(notifySubscriber, dispatchDeps, (message, deps, { attempt }) => {
  switch (message.type) {
    case "notify-subscriber":
      return notifyOne(deps, message, attempt);
    case "notify-subscribers":
      return notifySeveral(deps, message, attempt);
  }
});
