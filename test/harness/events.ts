import { inject } from "vitest";

/** A server-sent event. */
export type ReceivedEvent = { id: string; event: string; data: unknown };

/** A streamed response: its head, and its events as they arrive. */
export type EventResponse = {
  status: number;
  headers: Headers;
  events: AsyncGenerator<ReceivedEvent>;
};

/** Calls the API and accepts an event stream. */
export const callForEvents = async (
  path: string,
  { token, body, headers = {} }: { token: string; body: unknown; headers?: Record<string, string> },
): Promise<EventResponse> => {
  const response = await fetch(inject("stack").baseUrl + path, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      Accept: "text/event-stream",
      "Content-Type": "application/json",
      ...headers,
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, events: readEvents(response) };
};

async function* readEvents(response: Response): AsyncGenerator<ReceivedEvent> {
  let buffer = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    buffer += decoder.decode(chunk, { stream: true });
    const blocks = buffer.split("\n\n");
    buffer = blocks.pop() ?? "";
    for (const block of blocks) {
      if (block.startsWith(":")) continue;
      const field = (name: string) =>
        block
          .split("\n")
          .find((line) => line.startsWith(`${name}: `))
          ?.slice(name.length + 2) ?? "";
      yield { id: field("id"), event: field("event"), data: JSON.parse(field("data")) };
    }
  }
}
