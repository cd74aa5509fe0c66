import { expect, test } from "vitest";
import type { Item } from "../../infra/tenant/classify.ts";
import { settleItem } from "../../infra/tenant/settle-item.ts";
import { tableFamilies } from "../../infra/tenant/table-families.ts";

const id = "0193f0a0-7c4b-7000-8000-00000000000a";
const [family] = tableFamilies.filter(({ name }) => name === "executions");
const now = 1_800_000_000_000;
const entry = { gsi1pk: { S: "OPEN#a" }, gsi1sk: { S: `EXEC#${id}` } };

const settle = (item: Item): Item => {
  if (!family) throw new Error("there is no family of executions");
  return settleItem({ pk: { S: "p" }, sk: { S: `EXEC#${id}` }, ...item }, { family }, now);
};

test.each(["Queued", "Running"])(
  "an execution that was %s in a batch is cancelled, and recovery finds it by its own entry",
  (status) => {
    expect(settle({ status: { S: status }, leaseUntil: { N: "5" } })).toMatchObject({
      status: { S: "Cancelled" },
      endTime: { N: `${now}` },
      leaseUntil: { N: "0" },
      ...entry,
    });
  },
);

test("one that was cancelled before, and not counted, is found, too", () => {
  const cancelled = { status: { S: "Cancelled" }, leaseUntil: { N: "5" } };
  expect(settle(cancelled)).toMatchObject({ ...cancelled, ...entry });
});

test("a waiting one keeps its entry, and one that has ended or is a sub-agent's gets none", () => {
  const due = { gsi1pk: { S: "OPEN#a" }, gsi1sk: { S: "DUE#1" } };
  expect(settle({ status: { S: "Waiting" }, ...due })).toMatchObject({ ...due });
  expect(settle({ status: { S: "Succeeded" } })).not.toHaveProperty("gsi1pk");
  expect(settle({ status: { S: "Running" } })).not.toHaveProperty("gsi1pk");
});
