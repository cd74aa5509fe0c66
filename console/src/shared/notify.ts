import { notifications } from "@mantine/notifications";

type Toast = { title?: string; message: string };

/** Shows that an action succeeded, for a few seconds. */
export const notifyDone = ({ title, message }: Toast): void => {
  notifications.show({ title, message, color: "teal", autoClose: 5_000 });
};

/** Shows a problem until it is closed. */
export const notifyProblem = ({ title, message }: Toast): void => {
  notifications.show({ title, message, color: "red", autoClose: false });
};
