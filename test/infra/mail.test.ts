import { beforeAll, expect, test } from "vitest";
import { everyFunction, product } from "../../infra/functions/product.ts";
import { everySetting, findLambda, type Synthesized, synthesized } from "./synthesized.ts";

const from = everySetting.ALERT_EMAIL_FROM;
let sending: Synthesized;
let silent: Synthesized;

beforeAll(async () => {
  sending = await synthesized("settings");
  silent = await synthesized();
}, 120_000);

test("only functions with a row that declares it may send mail, from the address of the settings alone", {
  tags: "nightly",
}, () => {
  for (const { name, access } of everyFunction(product)) {
    const { environment, statements } = findLambda(sending, name);
    const mailing = statements.filter(({ Action }) =>
      Action.some((action) => /^ses:|^\*/.test(action)),
    );
    expect(environment.ALERT_EMAIL_FROM, name).toBe(access.mails ? from : undefined);
    expect(mailing, name).toHaveLength(access.mails ? 1 : 0);
    if (!access.mails) continue;
    expect(mailing[0]?.Action).toEqual(["ses:SendEmail"]);
    expect(JSON.stringify(mailing[0]?.Resource)).toContain(':identity/*"');
    expect(mailing[0]?.Condition).toEqual({ StringEquals: { "ses:FromAddress": from } });
  }
});

test("nothing may send mail where no address is set", () => {
  expect(silent.text).not.toContain("ses:");
  expect(silent.text).not.toContain("ALERT_EMAIL_FROM");
});
