import { Writable } from "node:stream";

/** What a function writes at a time. */
export type Chunk = string | Uint8Array;

/** What a function wrote in one turn of its event loop; `size` in bytes or characters. */
export type Part = { chunks: readonly Chunk[]; size: number; isLast: boolean };

/** Where a streaming function writes its answer, and the other end of it. */
export type ResponseStream = {
  stream: Writable;
  /** Resolves when the function has ended the stream. */
  ended: Promise<void>;
  /** Says that so much was read. */
  taken: (size: number) => void;
};

/** With so much sent and not yet read, a writer that heeds `drain` waits. */
const window = 1_048_576;
/** With so much waiting behind that, the reader is too slow for a writer that heeds nothing. */
const largestBacklog = 4 * window;

/**
 * The stream that Lambda's runtime (aws-lambda-ric 4.0.2) gives a streaming function. What is written in one
 * turn is sent at once. A reader that falls too far behind is cut, and what is written after that is dropped.
 */
export const createResponseStream = (
  send: (part: Part) => void,
  cut: () => void,
): ResponseStream => {
  const ended = Promise.withResolvers<void>();
  let pending: Chunk[] = [];
  let size = 0;
  let unread = 0;
  let flushing: NodeJS.Immediate | undefined;
  let resume: (() => void) | undefined;

  const flush = (isLast: boolean): void => {
    clearImmediate(flushing);
    flushing = undefined;
    send({ chunks: pending, size, isLast });
    pending = [];
    size = 0;
  };
  const taken = (count: number): void => {
    unread -= count;
    if (unread >= window) return;
    const next = resume;
    resume = undefined;
    next?.();
  };
  const stream = new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, encoding, done) => {
      pending.push(toSend(chunk, encoding));
      size += chunk.length;
      unread += chunk.length;
      flushing ??= setImmediate(flush, false);
      if (unread < window) done();
      else resume = done;
    },
    final: (done) => {
      flush(true);
      ended.resolve();
      done();
    },
  });
  const writeOn = stream.write;
  let isFirst = true;
  Object.assign(stream, {
    setContentType: () => {},
    // Only what goes through `write` has the head before it: `end` with a chunk has not, as on Lambda.
    write: (chunk: unknown, ...rest: unknown[]): boolean => {
      if (isFirst) {
        isFirst = false;
        headOf(stream)?.((first) => Reflect.apply(writeOn, stream, [first]));
      }
      if (stream.writableLength > largestBacklog) {
        cut();
        taken(Number.POSITIVE_INFINITY);
      }
      const isBytes = typeof chunk === "string" || chunk instanceof Uint8Array;
      return Reflect.apply(writeOn, stream, [isBytes ? chunk : JSON.stringify(chunk), ...rest]);
    },
  });
  return { stream, ended: ended.promise, taken };
};

/** A view of a larger buffer would be sent with all of it. */
const toSend = (chunk: string | Buffer, encoding: BufferEncoding): Chunk => {
  if (typeof chunk !== "string") return new Uint8Array(chunk);
  return encoding === "utf8" || encoding === "utf-8"
    ? chunk
    : new Uint8Array(Buffer.from(chunk, encoding));
};

type WriteHead = (write: (chunk: Chunk) => void) => void;

const heads = new WeakMap<object, WriteHead>();
const headOf = (stream: object): WriteHead | undefined => heads.get(stream);

const streamingMark = Symbol.for("aws.lambda.runtime.handler.streaming");
const streamingMode = "response";

/** What Lambda's runtime offers to functions as the global `awslambda`. */
export const awslambda = {
  streamifyResponse: <Handler extends object>(handler: Handler): Handler =>
    Object.assign(handler, { [streamingMark]: streamingMode }),
  HttpResponseStream: {
    /** Status and headers go before the first write: JSON, then eight zero bytes. */
    from: <Stream extends object>(stream: Stream, head: unknown): Stream => {
      heads.set(stream, (write) => write(`${JSON.stringify(head)}${"\0".repeat(8)}`));
      return stream;
    },
  },
};

/** Whether a handler was marked as streaming. */
export const isStreaming = (handler: object): boolean =>
  Reflect.get(handler, streamingMark) === streamingMode;
