import { OutgoingError } from "./outgoing-error.ts";

/** The same answer, whose body fails with an OutgoingError where it goes beyond `maxBytes`. */
export const limitBody = (response: Response, host: string, maxBytes: number): Response => {
  if (!response.body) return response;
  let size = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size <= maxBytes) return controller.enqueue(chunk);
      const detail = `${host} answered with more than ${maxBytes} bytes.`;
      controller.error(new OutgoingError("too-large", detail, host));
    },
  });
  const { status, headers } = response;
  return new Response(response.body.pipeThrough(limit), { status, headers });
};
