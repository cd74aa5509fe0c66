import { isDeepStrictEqual } from "node:util";
import type { FlowEvent } from "../../engine/flow/flow-result.ts";
import type { Guard } from "../../engine/guardrails/guard.ts";

type Send = (event: FlowEvent) => void;

/** Events that are sent when the checks of a run have passed. */
export type HeldEvents = {
  readonly emit: Send;
  /** Sends them, unless a check masks something in them. */
  release(): void;
};

/** Events that are held back; a run with more sends none of them. */
const maxHeld = 10_000;

/**
 * Holds the events of a run back while checks may block or mask what they show: a check sees an output as a whole. Without such
 * checks they are sent immediately.
 */
export const holdEvents = (guard: Guard, send: Send): HeldEvents => {
  const places = ["output", "toolArguments", "toolResult", "retrieval"] as const;
  if (!places.some((place) => guard.has(place))) return { emit: send, release: () => {} };
  const held: FlowEvent[] = [];
  return {
    emit: (event) => {
      if (held.length <= maxHeld) held.push(event);
    },
    release: () => {
      const shown = listShown(held);
      if (held.length > maxHeld || !isDeepStrictEqual(guard.mask(shown), shown)) return;
      for (const event of held.splice(0)) send(event);
    },
  };
};

/** Lists the values that events show; the parts of a text are one. */
const listShown = (events: readonly FlowEvent[]) => {
  const texts = new Map<string, string>();
  for (const event of events) {
    if (event.type !== "output.delta") continue;
    texts.set(event.stepId, (texts.get(event.stepId) ?? "") + event.text);
  }
  const others = events.flatMap((event) => {
    if (event.type === "step.completed") return [event.output];
    return event.type === "step.failed" ? [event.error.detail] : [];
  });
  return [...texts.values(), ...others];
};
