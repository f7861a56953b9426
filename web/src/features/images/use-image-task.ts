/** Which image the dialog is about, and the files that wait for their turn. */
import { useState } from "react";
import toast from "react-hot-toast";
import { refusalOfFile } from "./image-files";
import type { ImageRecord } from "./queries";

export interface ImageTask {
  /** Each task has a form of its own. */
  id: number;
  /** The image to change; null for a new image. */
  image: ImageRecord | null;
  file: File | null;
  /** Why the last file was not taken. */
  refusal: string | null;
  /** To be uploaded after this file. */
  rest: readonly File[];
  /** How many there were to begin with. */
  total: number;
}

export function useImageTask() {
  const [task, setTask] = useState<ImageTask | null>(null);
  // The dialog keeps its content until it has faded away.
  const [isOpen, setOpen] = useState(false);

  const begin = (fields: Partial<ImageTask>) => {
    setTask((last) => ({
      image: null,
      file: null,
      refusal: null,
      rest: [],
      total: 1,
      ...fields,
      id: (last?.id ?? 0) + 1,
    }));
    setOpen(true);
  };
  /** Files from the page, the picker or the clipboard: the first is for the open dialog, or all are uploaded in order. */
  const take = (files: readonly File[]) => {
    const fitting = files.filter((file) => refusalOfFile(file) === null);
    const refusal = files.map(refusalOfFile).find((reason) => reason !== null) ?? null;
    const [file, ...rest] = fitting;
    if (isOpen && task !== null) {
      if (file === undefined) setTask({ ...task, refusal });
      else if (task.image === null && task.file === null) {
        setTask({ ...task, file, refusal: null, rest: [...rest, ...task.rest], total: task.total + rest.length });
      } else setTask({ ...task, file, refusal: null });
      return;
    }
    if (refusal !== null) toast.error(refusal);
    if (file !== undefined) begin({ file, rest, total: fitting.length });
  };
  return {
    task,
    isOpen,
    start: () => begin({}),
    edit: (image: ImageRecord) => begin({ image }),
    take,
    /** The dialog's own choice to go without a file. */
    clear: () => setTask((present) => (present === null ? null : { ...present, file: null, refusal: null })),
    /** The present task is done. */
    next: () => {
      const [file, ...rest] = task?.rest ?? [];
      if (file === undefined) setOpen(false);
      else begin({ file, rest, total: task?.total ?? 1 });
    },
    close: () => setOpen(false),
  };
}
