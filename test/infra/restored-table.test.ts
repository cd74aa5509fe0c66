import { App } from "aws-cdk-lib/core";
import { expect, test } from "vitest";
import * as z from "zod";
import { readConfig } from "../../infra/settings/config.ts";
import { DataStack } from "../../infra/stacks/data.ts";

const Template = z.object({
  Resources: z.record(
    z.string(),
    z.looseObject({ Type: z.string(), Properties: z.looseObject({}).optional() }),
  ),
  Outputs: z.record(z.string(), z.looseObject({ Value: z.unknown() })),
});

const synthesizeData = (settings: Record<string, string>) => {
  const app = new App({ analyticsReporting: false });
  const props = {
    config: readConfig(settings),
    workers: [],
    deletable: false,
    isDistributed: false,
  };
  new DataStack(app, "Data", props);
  const { template } = app.synth().getStackByName("Data");
  return Template.parse(template);
};

test("a restored table is like the one before, which stays in the stack with its exports", {
  tags: "nightly",
}, () => {
  const before = synthesizeData({});
  const after = synthesizeData({ RESTORED_TABLES: "first-restored,second-restored" });
  const tables = ({ Resources }: z.output<typeof Template>) =>
    Object.entries(Resources).filter(([, { Type }]) => Type === "AWS::DynamoDB::Table");
  const [[id = "", table] = []] = tables(before);
  const [own, first, second] = tables(after);
  expect(own).toEqual([id, table]);
  expect(first?.[1]).toMatchObject({
    ...table,
    Properties: { ...table?.Properties, TableName: "first-restored" },
  });
  expect(second?.[1].Properties).toMatchObject({ TableName: "second-restored" });
  expect(after.Outputs.TableName?.Value).toEqual({ Ref: second?.[0] });
  const exported = JSON.stringify(
    Object.entries(after.Outputs).filter(([name]) => name.startsWith("Exports")),
  );
  for (const kept of [id, first?.[0]]) {
    expect(exported).toContain(`{"Ref":"${kept}"}`);
    expect(exported).toContain(`{"Fn::GetAtt":["${kept}","Arn"]}`);
  }
  // All but the tables and what names the one in use is as before: an import may change nothing else.
  const others = Object.entries(before.Resources).filter(([name]) => name !== id);
  for (const [name, resource] of others) expect(after.Resources[name], name).toEqual(resource);
});
