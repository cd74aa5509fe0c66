import type { EventSink } from "../edge/event-stream.ts";
import type { TaskSink } from "./subscribe-to-task.ts";

/** Returns the receiver of a stream in the binding to HTTP. */
export const toSink = (events: EventSink | undefined): TaskSink => ({
  send: (event) => events?.send("", event),
  hasLeft: () => events?.hasLeft() ?? false,
});
