import { Writable } from "node:stream";

/** The content of one write. */
export type Chunk = string | Uint8Array;

/** The writes of one turn of the event loop; `size` in bytes or characters. */
export type Part = { chunks: readonly Chunk[]; size: number; isLast: boolean };

/** The response stream of a streaming function and the control of its reader. */
export type ResponseStream = {
  stream: Writable;
  /** Resolves when the function has ended the stream. */
  ended: Promise<void>;
  /** Acknowledges that a number of bytes was read. */
  consumed: (size: number) => void;
};

/** Unread bytes from which `write` returns false until `drain`. */
const window = 1_048_576;
/** Buffered bytes from which the reader is cut off: the function ignores backpressure. */
const largestBacklog = 4 * window;

/**
 * Creates the stream that Lambda's runtime (aws-lambda-ric 4.0.2) passes to a streaming function. The writes of
 * one turn are sent together. A reader that falls too far behind is cut off, and later writes are dropped.
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
  const consumed = (count: number): void => {
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
    // As on Lambda, only `write` sends the head first; `end` with a chunk does not.
    write: (chunk: unknown, ...rest: unknown[]): boolean => {
      if (isFirst) {
        isFirst = false;
        findHeadWriter(stream)?.((first) => Reflect.apply(writeOn, stream, [first]));
      }
      if (stream.writableLength > largestBacklog) {
        cut();
        consumed(Number.POSITIVE_INFINITY);
      }
      const isBytes = typeof chunk === "string" || chunk instanceof Uint8Array;
      return Reflect.apply(writeOn, stream, [isBytes ? chunk : JSON.stringify(chunk), ...rest]);
    },
  });
  return { stream, ended: ended.promise, consumed };
};

/** Copies a buffer: a view would be posted with the whole buffer behind it. */
const toSend = (chunk: string | Buffer, encoding: BufferEncoding): Chunk => {
  if (typeof chunk !== "string") return new Uint8Array(chunk);
  return encoding === "utf8" || encoding === "utf-8"
    ? chunk
    : new Uint8Array(Buffer.from(chunk, encoding));
};

type WriteHead = (write: (chunk: Chunk) => void) => void;

const heads = new WeakMap<object, WriteHead>();
const findHeadWriter = (stream: object): WriteHead | undefined => heads.get(stream);

const streamingMark = Symbol.for("aws.lambda.runtime.handler.streaming");
const streamingMode = "response";

/** The global `awslambda` of Lambda's runtime. */
export const awslambda = {
  streamifyResponse: <Handler extends object>(handler: Handler): Handler =>
    Object.assign(handler, { [streamingMark]: streamingMode }),
  HttpResponseStream: {
    /** Sends status and headers before the first write: JSON, then eight zero bytes. */
    from: <Stream extends object>(stream: Stream, head: unknown): Stream => {
      heads.set(stream, (write) => write(`${JSON.stringify(head)}${"\0".repeat(8)}`));
      return stream;
    },
  },
};

/** Returns whether a handler was created by `streamifyResponse`. */
export const isStreaming = (handler: object): boolean =>
  Reflect.get(handler, streamingMark) === streamingMode;
