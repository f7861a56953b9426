/** Text in fields. Each character that `user.type` types is five events, each of which is drawn. */
import type { UserEvent } from "@testing-library/user-event";

/**
 * Puts a text into a field, at its end, in one piece. For tests of what follows from the text, and not from each key.
 */
export async function enter(user: UserEvent, field: Element, text: string): Promise<void> {
  await user.click(field);
  await user.paste(text);
}
