import { later } from "@/ui/later";

/** The question before a screen is deleted. Its code comes once the page stands. */
export const deleteScreen = later(async () => (await import("./delete-screen-dialog")).DeleteScreenDialog, null);
