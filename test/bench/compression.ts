import { readFileSync } from "node:fs";
import * as zlib from "node:zlib";
import { jsonDictionary as dictionary } from "../../lib/platform/db/json-dictionary.ts";
import type { Topic } from "./bench.ts";
import { interleave } from "./interleave.ts";
import { quantile } from "./statistics.ts";

type Method = { pack: (json: string) => Buffer; unpack: (bytes: Buffer) => Buffer };

const brotli = (quality: number): Method => ({
  pack: (json) =>
    zlib.brotliCompressSync(json, {
      params: {
        [zlib.constants.BROTLI_PARAM_QUALITY]: quality,
        [zlib.constants.BROTLI_PARAM_MODE]: zlib.constants.BROTLI_MODE_TEXT,
        [zlib.constants.BROTLI_PARAM_SIZE_HINT]: json.length,
      },
    }),
  unpack: (bytes) => zlib.brotliDecompressSync(bytes),
});

const methods: Readonly<Record<string, Method>> = {
  gzip: { pack: (json) => zlib.gzipSync(json), unpack: (bytes) => zlib.gunzipSync(bytes) },
  "deflate, dictionary": {
    pack: (json) => zlib.deflateRawSync(json, { dictionary }),
    unpack: (bytes) => zlib.inflateRawSync(bytes, { dictionary }),
  },
  "brotli 4": brotli(4),
  "brotli 5": brotli(5),
  zstd: {
    pack: (json) => zlib.zstdCompressSync(json),
    unpack: (bytes) => zlib.zstdDecompressSync(bytes),
  },
};

const valuesPerKind = 50;
const words = readFileSync(new URL("../../docs/executions.md", import.meta.url), "utf8");

/** Creates the same texts and numbers in each run. */
const createSource = () => {
  let state = 1;
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % below;
  };
  const text = (length: number): string => {
    const start = next(words.length - length);
    return words.slice(start, start + length);
  };
  return { next, text };
};
const { next, text } = createSource();

const createSpan = (id: string, isModel: boolean) => ({
  id,
  parentId: null,
  stepId: id,
  name: id,
  type: isModel ? "Prompt" : "Transform",
  startTime: 1_763_900_000_000 + next(1_000_000),
  endTime: 1_763_900_000_000 + next(1_000_000),
  status: "Succeeded",
  input: isModel ? { messages: [{ role: "user", content: text(200) }] } : null,
  output: isModel ? text(120) : { customer: text(20), total: next(10_000) / 100 },
  error: null,
  usage: isModel
    ? { inputTokens: next(2_000), outputTokens: next(500), cachedTokens: 0, thinkingTokens: 0 }
    : null,
  cost: isModel
    ? { inputCost: next(1e6) / 1e8, outputCost: next(1e6) / 1e8, totalCost: next(1e6) / 1e8 }
    : null,
  priced: isModel ? true : null,
  modelId: isModel ? "gpt-5-mini" : null,
  providerId: isModel ? "openai" : null,
});

/** Creates the input of an execution of about this length. */
const createInput = (length: number): string => {
  const history = Array.from({ length: length / 400 }, () => ({ role: "user", text: text(150) }));
  const customer = { id: next(1e9).toString(16), name: text(20), email: "ada@example.com" };
  return JSON.stringify({ input: { prompt: text(length / 2), customer, history } });
};

/** Creates the end of an execution of about this length: its output and its spans. */
const createEnd = (length: number): string => {
  const trace: unknown[] = [];
  while (JSON.stringify(trace).length < length - 500) {
    trace.push(createSpan(`step${trace.length}`, trace.length % 2 === 0));
  }
  return JSON.stringify({ output: { text: text(200) }, error: null, trace });
};

/** Bytes and processor time of compressing a stored value of 1, 2 and 4 KB. */
export const compression: Topic = async ({ short }) => {
  const kinds = [1, 2, 4].flatMap((kilobytes) =>
    [createInput, createEnd].map((create) => ({
      name: `${create === createInput ? "input" : "end"}, ${kilobytes} KB`,
      values: Array.from({ length: valuesPerKind }, () => create(kilobytes * 1_024)),
    })),
  );
  const measured = kinds.flatMap(({ name, values }) =>
    Object.entries(methods).map(([method, { pack, unpack }]) => {
      const packed = values.map(pack);
      const bytes = packed.reduce((sum, bytes) => sum + bytes.byteLength, 0) / values.length;
      const packTimes: number[] = [];
      const unpackTimes: number[] = [];
      const measure = async () => {
        packTimes.push(measureEach(values, pack));
        unpackTimes.push(measureEach(packed, unpack));
      };
      return { name, method, bytes, packTimes, unpackTimes, measure };
    }),
  );
  await interleave(
    measured.map(({ measure }) => measure),
    short ? { turns: 2, seconds: 1 } : { turns: 30, seconds: 60 },
  );
  return {
    title: "compression: a stored JSON value",
    columns: ["value", "by", "bytes", "compress, µs", "quartiles", "expand, µs"],
    rows: measured.map(({ name, method, bytes, packTimes, unpackTimes }) => {
      const quartiles = [0.25, 0.75].map((part) => quantile(packTimes, part).toFixed(0));
      const [pack, unpack] = [quantile(packTimes, 0.5), quantile(unpackTimes, 0.5)];
      return [name, method, Math.round(bytes), pack, quartiles.join(" to "), unpack];
    }),
  };
};

/** Returns the microseconds of processor time per value. */
const measureEach = <Value>(values: readonly Value[], work: (value: Value) => unknown): number => {
  const before = process.cpuUsage();
  for (const value of values) work(value);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / values.length;
};
