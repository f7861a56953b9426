import { later } from "@/ui/later";

/** The question before a screen is deleted. The page loads its code after it is drawn. */
export const deleteScreen = later(async () => (await import("./delete-screen-dialog")).DeleteScreenDialog, null);
