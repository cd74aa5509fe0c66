import type { Browser, CDPSession, Page } from "playwright-core";
import * as z from "zod";
import { signIn } from "./take-screens.ts";

/** Cost of a long list in the browser. Times in milliseconds, the heap in MB. */
export type ListFigures = {
  firstPaint: number;
  firstRow: number;
  /** From the click on another status to its rows. */
  filter: number;
  /** Reading and drawing all rows, by scrolling down. */
  toTheEnd: number;
  rows: number;
  /** Rows in the document. */
  drawn: number;
  heapAtStart: number;
  heapAtEnd: number;
  /** Processor time of the page for a jump of a screen and a half, which renders only new rows. */
  jump: number;
};

const Numbers = z.array(z.number());

/** Measures how the list of an agent's executions opens, scrolls and filters. */
export const measureList = async (
  browser: Browser,
  baseUrl: string,
  { agent, rows }: { agent: string; rows: number },
): Promise<ListFigures> => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(120_000);
  await signIn(page, baseUrl);
  const devtools = await page.context().newCDPSession(page);
  await page.goto(`${baseUrl}/console/t/demo/executions?agent=${agent}`);
  await page.locator(row).first().waitFor();
  const [firstPaint = 0, firstRow = 0] = Numbers.parse(await page.evaluate(startTimes));
  const heapAtStart = await measureHeap(devtools);
  const start = Date.now();
  await readToTheEnd(page, rows);
  const toTheEnd = Date.now() - start;
  const heapAtEnd = await measureHeap(devtools);
  const jump = await measureJumps(page, devtools);
  const drawn = await page.locator(row).count();
  const filter = await measureFilter(page);
  await page.context().close();
  return {
    firstPaint,
    firstRow,
    filter,
    toTheEnd,
    rows,
    drawn,
    heapAtStart,
    heapAtEnd,
    jump,
  };
};

const row = "tbody tr[aria-rowindex]";

const startTimes = `[
  Math.round(performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0),
  Math.round(performance.now()),
]`;

const measureHeap = async (devtools: CDPSession): Promise<number> => {
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devtools.send("Runtime.getHeapUsage");
  return Math.round(usedSize / 100_000) / 10;
};

/** Scrolls to the end until all pages are read. */
const readToTheEnd = (page: Page, rows: number) =>
  page.evaluate(`(async () => {
    const nextFrame = () => new Promise((resolve) => setTimeout(resolve, 20));
    const known = () => Number(document.querySelector("table").ariaRowCount);
    while (known() < ${rows}) {
      scrollTo(0, document.documentElement.scrollHeight);
      await nextFrame();
    }
  })()`);

/** Scrolls through the whole list by a screen and a half per frame. */
const measureJumps = async (page: Page, devtools: CDPSession): Promise<number> => {
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  const taskSeconds = async (): Promise<number> => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
  };
  const before = await taskSeconds();
  const jumps = await page.evaluate(`(async () => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    let jumps = 0;
    for (let top = 0; top < document.documentElement.scrollHeight; top += 1350) {
      scrollTo(0, top);
      jumps += 1;
      await nextFrame();
    }
    return jumps;
  })()`);
  return Math.round(((await taskSeconds()) - before) * 1_000) / z.number().parse(jumps);
};

const measureFilter = async (page: Page): Promise<number> => {
  await page.evaluate("scrollTo(0, 0)");
  const start = Date.now();
  await page.getByLabel("Status", { exact: true }).selectOption("TimedOut");
  const other = page.getByRole("row").filter({ hasText: "Succeeded" }).first();
  await other.waitFor({ state: "detached" });
  await page.getByRole("row", { name: "Timed out" }).first().waitFor();
  return Date.now() - start;
};
