import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from "@mantine/core";
import classes from "./theme.module.css";

const teal: MantineColorsTuple = [
  "#e6f7fa",
  "#d3ecf0",
  "#a5d8e0",
  "#74c2cf",
  "#4eb0c1",
  "#35a5b8",
  "#1d8fa2",
  "#0f7a8b",
  "#0b6472",
  "#064b56",
];

/** Look of the console: the system's fonts, one colour, contrasts of WCAG 2.2 AA. */
export const theme = createTheme({
  colors: { teal },
  primaryColor: "teal",
  primaryShade: { light: 8, dark: 8 },
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  // Members as they are, without the components: the first page needs few of these.
  components: {
    Anchor: { defaultProps: { inherit: true } },
    Button: { defaultProps: { size: "sm" } },
    // Its element can get the focus, which the children of a menu must not unless they are items.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Modal: {
      defaultProps: { centered: true, closeButtonProps: { "aria-label": "Close" } },
      classNames: {
        inner: classes.dialogFrame ?? "",
        content: classes.dialog ?? "",
        title: classes.dialogTitle ?? "",
      },
    },
    NavLink: { classNames: { root: classes.navLink ?? "" } },
    // Without a role its element would be a second banner of the page.
    ModalHeader: { defaultProps: { role: "presentation" } },
    Tabs: { classNames: { list: classes.tabs ?? "" } },
    Table: { defaultProps: { verticalSpacing: "xs", highlightOnHover: true } },
  },
});

/** Dimmed texts, placeholders and links that are readable in both schemes. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#545b62",
    "--mantine-color-placeholder": "#646c75",
    "--mantine-color-anchor": "#0b6472",
    "--mantine-color-error": "#c92a2a",
  },
  dark: {
    "--mantine-color-dimmed": "#b1b7bd",
    "--mantine-color-placeholder": "#a0a6ac",
    "--mantine-color-anchor": "#74c2cf",
    "--mantine-color-error": "#ff8787",
  },
});
