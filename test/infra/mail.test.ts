import { beforeAll, expect, test } from "vitest";
import { everyFunction, product } from "../../infra/functions/product.ts";
import {
  everySetting,
  findLambda,
  type Synthesized,
  synthesized,
  synthesizedWithSettings,
} from "./synthesized.ts";

const from = everySetting.ALERT_EMAIL_FROM;
let sending: Synthesized;
let silent: Synthesized;

beforeAll(async () => {
  sending = await synthesizedWithSettings();
  silent = await synthesized();
}, 120_000);

test("only functions whose row says so may send mail, from the address of the settings alone", () => {
  for (const { name, access } of everyFunction(product)) {
    const { environment, statements } = findLambda(sending, name);
    const mailing = statements.filter(({ Action }) =>
      Action.some((each) => /^ses:|^\*/.test(each)),
    );
    expect(environment.ALERT_EMAIL_FROM, name).toBe(access.mails ? from : undefined);
    expect(mailing, name).toHaveLength(access.mails ? 1 : 0);
    if (!access.mails) continue;
    expect(mailing[0]?.Action).toEqual(["ses:SendEmail"]);
    const resources = JSON.stringify(mailing[0]?.Resource);
    expect(resources).toContain(`:identity/${from}"`);
    expect(resources).toContain(':identity/mail.example.com"');
    expect(resources).not.toContain("*");
  }
});

test("nothing may send mail where no address is set", () => {
  expect(silent.text).not.toContain("ses:");
  expect(silent.text).not.toContain("ALERT_EMAIL_FROM");
});
