import type { Send } from "../../platform/queue/send.ts";
import type { WakeExecutionMessage } from "../messages.ts";

/** The longest delay of a message. */
const maxDelaySeconds = 900;

/** Returns whether a message can be delayed until a time; later ones need a schedule. Unix milliseconds. */
export const isSoon = (at: number, now: number): boolean => at - now <= maxDelaySeconds * 1_000;

/** Sends a wake-up, delayed until its time where that is soon; otherwise its receiver makes a schedule of it. */
export const sendWake = (send: Send, message: WakeExecutionMessage, now: number): Promise<void> => {
  const seconds = Math.max(0, Math.ceil((message.at - now) / 1_000));
  return send(
    "schedules",
    message.tenantId,
    message,
    isSoon(message.at, now) ? seconds : undefined,
  );
};
