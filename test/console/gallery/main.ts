import { join } from "node:path";
import { parseArgs } from "node:util";
import { startLocalStack } from "../../harness/local-stack.ts";
import { startBrowser } from "../browser.ts";
import { createDemo } from "./data/demo.ts";
import { longList } from "./data/history.ts";
import { measureList } from "./measure-list.ts";
import { takeDocImages } from "./take-doc-images.ts";
import { takeScreens } from "./take-screens.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    axe: { type: "boolean", default: true },
    docs: { type: "boolean", default: false },
  },
});
const directory = join(import.meta.dirname, "../screens");
const [stack, browser] = await Promise.all([
  startLocalStack({
    settings: { RATE_LIMIT_REQUESTS: "1000000", ALLOW_PRIVATE_ADDRESSES: "true" },
  }),
  startBrowser(),
]);
const demo = await createDemo(stack);

const takeAll = async (): Promise<void> => {
  const problems = await takeScreens({
    browser,
    baseUrl: stack.baseUrl,
    names: demo.names,
    directory,
    only: positionals,
    isChecked: values.axe,
    print: (line) => console.error(line),
  });
  console.log(problems.length === 0 ? "Nothing is wrong." : problems.join("\n"));
  console.log(`The screens are in ${directory}.`);
  if (problems.length > 0) process.exitCode = 1;
  if (positionals.length === 0) {
    const list = { agent: "support", rows: longList };
    console.log("A long list:", await measureList(browser, stack.baseUrl, list));
  }
};

try {
  if (values.docs) await takeDocImages(browser, stack.baseUrl, demo.names);
  else await takeAll();
} finally {
  await browser.close();
  await stack.close();
  await demo.close();
}
