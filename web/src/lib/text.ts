/** Small rules for titles. */

/** The text, or its first `limit` characters and an ellipsis. */
export function cut(text: string, limit: number): string {
  const characters = [...text];
  return characters.length <= limit ? text : `${characters.slice(0, limit).join("")}…`;
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
