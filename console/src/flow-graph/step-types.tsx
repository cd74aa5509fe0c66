import type { ReactNode } from "react";

/** A type of step, as it is offered. */
export type StepType = { type: string; line: string; icon: ReactNode };

const draw = (path: string): ReactNode => (
  <svg
    width="18"
    height="18"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="2"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={path} />
  </svg>
);

/** The types of steps, with what each does in one line. */
export const stepCatalog: readonly StepType[] = [
  {
    type: "Prompt",
    line: "Asks a model, which may call tools and other agents",
    icon: draw("M4 5h16v11H9l-5 4zM8 9h8M8 12h5"),
  },
  {
    type: "Tool",
    line: "Calls a tool of an integration",
    icon: draw("M14.500 6.500a4 4 0 0 0-5 5L4 17l3 3 5.500-5.500a4 4 0 0 0 5-5L15 12l-3-3z"),
  },
  {
    type: "SubAgent",
    line: "Runs another agent and returns its output",
    icon: draw("M7 8h10v10H7zM12 4v4M10 12v2M14 12v2M4 12v3M20 12v3"),
  },
  {
    type: "Retrieve",
    line: "Searches your documents for passages",
    icon: draw("M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l4 4"),
  },
  {
    type: "Condition",
    line: "Chooses the next step by expressions",
    icon: draw("M12 3v5M12 8l-6 5v7M12 8l6 5v7"),
  },
  {
    type: "Transform",
    line: "Computes a value from earlier outputs",
    icon: draw("M4 8h13l-3-3M20 16H7l3 3"),
  },
  {
    type: "Approval",
    line: "Waits until people approve or reject",
    icon: draw("M4 4h16v16H4zM8 12l3 3 5-6"),
  },
  {
    type: "Wait",
    line: "Waits for a time, an event or a callback",
    icon: draw("M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4l3 2"),
  },
  {
    type: "ForEach",
    line: "Runs a step for each item of a list",
    icon: draw("M17 4l3 3-3 3M4 12V9a2 2 0 0 1 2-2h14M7 20l-3-3 3-3M20 12v3a2 2 0 0 1-2 2H4"),
  },
  {
    type: "Output",
    line: "Sets the output of the agent",
    icon: draw("M4 12h12M12 7l5 5-5 5M20 4v16"),
  },
];

const icons = new Map(stepCatalog.map(({ type, icon }) => [type, icon]));

/** Returns the icon of a type of step. */
export const stepIcon = (type: string): ReactNode => icons.get(type);

/** Finds the types with a text in their name or line. Names that begin with it come first. */
export const findStepTypes = (text: string): readonly StepType[] => {
  const wanted = text.trim().toLowerCase();
  const found = stepCatalog.filter(({ type, line }) =>
    `${type} ${line}`.toLowerCase().includes(wanted),
  );
  const isNamed = ({ type }: StepType): boolean => type.toLowerCase().startsWith(wanted);
  return [...found.filter(isNamed), ...found.filter((stepType) => !isNamed(stepType))];
};
