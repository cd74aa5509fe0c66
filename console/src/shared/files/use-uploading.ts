import { useCallback, useState } from "react";

/** Reports whether a field uploads files. */
export type ReportUploading = (field: string, isUploading: boolean) => void;

/** Keeps which fields of a form upload files; the form waits for them. */
export const useUploading = (): { isUploading: boolean; report: ReportUploading } => {
  const [fields, setFields] = useState<readonly string[]>([]);
  const report = useCallback<ReportUploading>((field, isUploading) => {
    setFields((before) => {
      const others = before.filter((name) => name !== field);
      return isUploading ? [...others, field] : others;
    });
  }, []);
  return { isUploading: fields.length > 0, report };
};
