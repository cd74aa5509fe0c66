/** A server-sent event. */
export type ServerEvent = { event: string; data: string };

/** Parses a stream of server-sent events (WHATWG HTML, 9.2); comments are skipped. */
export async function* readEvents(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerEvent, void, undefined> {
  let event = "message";
  let data: string[] = [];
  for await (const line of readLines(stream)) {
    if (line === "") {
      if (data.length > 0) yield { event, data: data.join("\n") };
      event = "message";
      data = [];
      continue;
    }
    const [name, value] = parseField(line);
    if (name === "event") event = value;
    if (name === "data") data.push(value);
  }
}

const parseField = (line: string): [name: string, value: string] => {
  const colon = line.indexOf(":");
  if (colon === -1) return [line, ""];
  const value = line.slice(colon + 1);
  return [line.slice(0, colon), value.startsWith(" ") ? value.slice(1) : value];
};

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (
        rest + (done ? decoder.decode() : decoder.decode(value, { stream: true }))
      ).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) yield line.endsWith("\r") ? line.slice(0, -1) : line;
      if (done) return;
    }
  } finally {
    await reader.cancel();
  }
}
