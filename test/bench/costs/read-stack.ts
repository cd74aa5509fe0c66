import * as z from "zod";
import type { Synthesized } from "../../infra/synthesized.ts";

/** Facts of the synthesized templates that have a price. */
export type StackFacts = {
  /** Metrics that the alarms evaluate, which CloudWatch bills separately. */
  alarmMetrics: number;
  alarms: number;
  dashboards: number;
  keys: number;
  /** Secrets of Secrets Manager. */
  secrets: number;
  polledQueues: number;
  /** Memory of each function in MB, by operation. */
  memoryMegabytes: ReadonlyMap<string, number>;
  /** Bytes of a line in the access log, with the longest resource. */
  accessLogBytes: number;
  /** Types of resources. */
  types: readonly string[];
};

const Alarm = z.object({
  Metrics: z.array(z.object({ MetricStat: z.unknown().optional() })).optional(),
});
const Lambda = z.object({ FunctionName: z.string(), MemorySize: z.int() });
const Stage = z.object({ AccessLogSetting: z.object({ Format: z.string() }) });

/** Reads what the price of a stack depends on. */
export const readStack = (stacks: Synthesized): StackFacts => {
  const alarms = stacks.resources("AWS::CloudWatch::Alarm");
  const longest = Object.keys(stacks.api().paths).reduce((left, right) =>
    right.length > left.length ? right : left,
  );
  const [stage] = stacks.resources("AWS::ApiGateway::Stage");
  return {
    alarmMetrics: alarms.reduce((sum, { Properties }) => sum + countMetrics(Properties), 0),
    alarms: alarms.length,
    dashboards: stacks.resources("AWS::CloudWatch::Dashboard").length,
    keys: stacks.resources("AWS::KMS::Key").length,
    secrets: stacks.resources("AWS::SecretsManager::Secret").length,
    polledQueues: stacks.resources("AWS::Lambda::EventSourceMapping").length,
    memoryMegabytes: new Map(
      stacks.resources("AWS::Lambda::Function").flatMap(({ Properties }) => {
        const { success, data } = Lambda.safeParse(Properties);
        return success ? [[data.FunctionName.replace(/^Wharf-/, ""), data.MemorySize]] : [];
      }),
    ),
    accessLogBytes: lineBytes(Stage.parse(stage?.Properties).AccessLogSetting.Format, longest),
    types: [...new Set(stacks.resources().map(({ Type }) => Type))].sort(),
  };
};

/** An alarm on an expression evaluates each of its metrics; any other alarm one. */
const countMetrics = (alarm: unknown): number =>
  Alarm.parse(alarm).Metrics?.filter(({ MetricStat }) => MetricStat !== undefined).length ?? 1;

const uuid = "0193f0a0-7c4b-7000-8000-000000000001";

/** Values of the usual length; a dash for none. */
const logged: Readonly<Record<string, string>> = {
  requestId: uuid,
  httpMethod: "DELETE",
  status: "200",
  "error.responseType": "-",
  "integration.status": "200",
  "integration.requestId": uuid,
  "integration.latency": "5000",
  responseLatency: "5000",
  responseLength: "2000",
  "identity.sourceIp": "203.0.113.195",
};

const lineBytes = (format: string, resourcePath: string): number =>
  Buffer.byteLength(
    format.replaceAll(/\$context\.([A-Za-z]+(?:\.[A-Za-z]+)*)/g, (_, name: string) => {
      const value = name === "resourcePath" ? resourcePath : logged[name];
      if (value === undefined) throw new Error(`The length of $context.${name} is not known.`);
      return value;
    }),
  );
