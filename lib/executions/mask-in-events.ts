import type { FlowEvent } from "../engine/flow/flow-result.ts";
import { isHiddenInTexts, maskInText, maskInValue } from "./mask-in-trace.ts";

type Send = (event: FlowEvent) => void;

/**
 * Masks secrets in a run's events. A secret may span several chunks of a model's text: as much text as the
 * longest secret is buffered until more arrives or the step ends.
 */
export const maskInEvents = (secrets: readonly string[], send: Send): Send => {
  if (secrets.length === 0) return send;
  const buffered = new Map<string, string>();
  const started = new Set<string>();
  const longest = Math.max(...secrets.map(({ length }) => length));
  const long = secrets.filter(isHiddenInTexts);
  const sendText = (stepId: string, text: string, isWhole: boolean): void => {
    if (text === "") return;
    started.add(stepId);
    send({ type: "output.delta", stepId, text: maskInText(text, isWhole ? secrets : long) });
  };
  const release = (stepId: string): void => {
    sendText(stepId, buffered.get(stepId) ?? "", !started.has(stepId));
    buffered.delete(stepId);
    started.delete(stepId);
  };
  return (event) => {
    const { stepId } = event;
    switch (event.type) {
      case "step.started":
        return send(event);
      case "output.delta": {
        const text = (buffered.get(stepId) ?? "") + event.text;
        const end = beforeSecrets(text, Math.max(0, text.length - longest), long);
        buffered.set(stepId, text.slice(end));
        return sendText(stepId, text.slice(0, end), false);
      }
      case "step.completed":
        release(stepId);
        return send({ ...event, output: maskInValue(event.output, secrets) });
      case "step.failed": {
        release(stepId);
        const detail = maskInText(event.error.detail, secrets);
        return send({ ...event, error: { ...event.error, detail } });
      }
    }
  };
};

/** Returns the last position at or before `end` that is not inside a secret. */
const beforeSecrets = (text: string, end: number, secrets: readonly string[]): number => {
  for (const secret of secrets) {
    let start = text.indexOf(secret);
    while (start !== -1 && start + secret.length <= end) {
      start = text.indexOf(secret, start + secret.length);
    }
    if (start !== -1 && start < end) return beforeSecrets(text, start, secrets);
  }
  return end;
};
