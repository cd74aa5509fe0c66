import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import * as z from "zod";
import { findViolations } from "../find-violations.ts";
import type { DemoNames } from "./data/demo.ts";
import { drawPhoto } from "./data/photo.ts";
import { dialogViews } from "./dialogs.ts";
import { type Click, type View, viewsOfRoutes } from "./pages.ts";
import { waitUntilShown } from "./wait-until-shown.ts";

type ScreensOptions = {
  browser: Browser;
  /** Origin that serves the console. */
  baseUrl: string;
  names: DemoNames;
  directory: string;
  /** Texts of which the names of views contain one; all views without any. */
  only: readonly string[];
  /** Whether axe looks at them, too. */
  isChecked: boolean;
  print: (line: string) => void;
};

const widths = [1280, 390] as const;
type Width = (typeof widths)[number];
const colorSchemes = ["light", "dark"] as const;
const height = { 1280: 900, 390: 844 };
/** A page may be longer than its picture. */
const maxHeight = 2_400;

/**
 * Takes pictures of all pages and dialogs at every width and colour scheme, and returns their
 * problems: routes without a view, violations that axe finds, errors of the console, pages that are
 * wider than the screen.
 */
export const takeScreens = async (options: ScreensOptions): Promise<string[]> => {
  const { browser, baseUrl, names, directory, only, isChecked, print } = options;
  mkdirSync(directory, { recursive: true });
  const problems: string[] = [];
  const routes = viewsOfRoutes(names);
  const views = [...Object.values(routes).flat(), ...dialogViews(names)].filter(
    ({ name }) => only.length === 0 || only.some((text) => name.includes(text)),
  );
  const takeAll = async (width: Width): Promise<void> => {
    const context = await browser.newContext({ viewport: { width, height: height[width] } });
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    page.on("pageerror", (error) => problems.push(`${page.url()}: ${error.message}`));
    const report = (view: string) => (what: string) => {
      const problem = `${view}, ${width} px: ${what}`;
      print(problem);
      problems.push(problem);
    };
    if (only.length === 0) await takeSignIn(page, options, width, report("sign-in"));
    await signIn(page, baseUrl);
    const missing = (await readRoutes(page)).filter((route) => !(route in routes));
    problems.push(...missing.map((route) => `${route} has no view in pages.ts`));
    for (const view of views.toSorted(byRole)) {
      try {
        if (view.role) await signInAs(page, baseUrl, view.role);
        await open(page, baseUrl, view);
        await takeView(page, { view, directory, width, isChecked, report: report(view.name) });
      } catch (error) {
        report(view.name)(String(error));
      }
      print(`${view.name}, ${width} px`);
    }
    await context.close();
  };
  await Promise.all(widths.map(takeAll));
  return [...new Set(problems)];
};

/** Until the console is built, its address has a page that reloads itself. */
const buildMilliseconds = 300_000;

const openSignIn = async (page: Page, baseUrl: string): Promise<void> => {
  await page.goto(`${baseUrl}/console/`);
  await page.getByRole("button", { name: "Sign in" }).waitFor({ timeout: buildMilliseconds });
};

const takeSignIn = async (
  page: Page,
  { baseUrl, directory, isChecked }: ScreensOptions,
  width: number,
  report: (what: string) => void,
): Promise<void> => {
  await openSignIn(page, baseUrl);
  const view = { name: "sign-in", address: "" };
  await takeView(page, { view, directory, width, isChecked, report });
};

/** Signs in at the local issuer. */
export const signIn = async (page: Page, baseUrl: string): Promise<void> => {
  await openSignIn(page, baseUrl);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("banner").waitFor();
};

/** Views of other roles come last, since they need another session. */
const byRole = (left: View, right: View): number =>
  Number(left.role !== undefined) - Number(right.role !== undefined);

const signInAs = async (page: Page, baseUrl: string, role: string): Promise<void> => {
  await page.goto(`${baseUrl}/console/`);
  await page.getByRole("button", { name: /^User / }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByLabel("Role").selectOption(role);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("banner").waitFor();
};

/** Reads the routes that show a page from the router itself. */
const readRoutes = async (page: Page): Promise<string[]> =>
  z.array(z.string()).parse(
    await page.evaluate(
      `Object.values(self.__TSR_ROUTER__.routesById)
        .filter(({ isRoot, children }) => !isRoot && !children)
        .map(({ id }) => id)`,
    ),
  );

const open = async (page: Page, baseUrl: string, { address, clicks = [] }: View): Promise<void> => {
  await page.goto(`${baseUrl}/console/${address}`);
  await waitUntilShown(page);
  for (const click of clicks) await follow(page, click);
  await waitUntilShown(page);
};

const follow = async (page: Page, click: Click): Promise<void> => {
  if ("field" in click) return page.getByLabel(click.field, { exact: true }).fill(click.text);
  if ("choice" in click) {
    await page.getByLabel(click.choice, { exact: true }).selectOption(click.option);
    return;
  }
  if ("pictureFor" in click) {
    const field = page.getByLabel(click.pictureFor, { exact: true }).and(page.locator("input"));
    const file = { name: click.name, mimeType: "image/png", buffer: drawPhoto() };
    await field.setInputFiles(file);
    return page.getByRole("img", { name: click.name }).waitFor();
  }
  if ("box" in click) return page.getByLabel(click.box, { exact: true }).check();
  if ("confirm" in click) {
    const dialog = page.getByRole("dialog");
    return dialog.getByRole("button", { name: click.confirm, exact: true }).click();
  }
  if ("step" in click) return page.getByRole("group", { name: click.step }).press("Enter");
  if ("text" in click) {
    return page.getByRole("main").getByText(click.text, { exact: true }).last().click();
  }
  if ("button" in click) {
    return page.getByRole("button", { name: click.button, exact: true }).first().click();
  }
  const name = `Actions for ${click.menuFor}`;
  await page.getByRole("button", { name }).first().click();
  await page.getByRole("menu", { name }).getByRole("menuitem", { name: click.item }).click();
};

type TakenView = {
  view: View;
  directory: string;
  width: number;
  isChecked: boolean;
  report: (what: string) => void;
};

const takeView = async (
  page: Page,
  { view, directory, width, isChecked, report }: TakenView,
): Promise<void> => {
  for (const colorScheme of colorSchemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.evaluate(transitionsEnd);
    const size = z
      .object({ wide: z.number(), high: z.number() })
      .parse(await page.evaluate(documentSize));
    if (size.wide > width) report(`${size.wide - width} px wider than the screen`);
    await page.screenshot({
      path: join(directory, `${view.name}.${width}.${colorScheme}.png`),
      animations: "disabled",
      // An overlay is as large as the screen.
      ...(view.clicks === undefined && {
        fullPage: true,
        clip: { x: 0, y: 0, width, height: Math.min(size.high, maxHeight) },
      }),
    });
    if ((await page.getByText("Internal error").count()) > 0) report("an internal error");
    if (!isChecked) continue;
    for (const violation of await findViolations(page)) report(`${colorScheme}: ${violation}`);
  }
};

/** Colours change with a transition, some frames after the scheme. */
const transitionsEnd = `(async () => {
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let frame = 0; frame < 3; frame += 1) await nextFrame();
  const transitions = document.getAnimations().filter((each) => each instanceof CSSTransition);
  await Promise.allSettled(transitions.map(({ finished }) => finished));
})()`;

const documentSize = `({
  wide: document.documentElement.scrollWidth,
  high: document.documentElement.scrollHeight,
})`;
