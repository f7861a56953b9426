/** Saves a file under a name, as a link to it would: a call with a session can't be a link. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Browsers have read the address by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The name that an answer gives its file. */
export function fileNameOf(response: Response, fallback: string): string {
  return /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? fallback;
}
