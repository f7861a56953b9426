/** Server-sent events from bytes, as the HTML standard parses them: any line ending, any chunking, BOM, comments. */

export interface ServerEvent {
  readonly type: string;
  readonly data: string;
  /** The event's own `id:` field; "" without that field. */
  readonly id: string;
}

/** An event larger than this is no event of ours; without a bound a broken server could fill the memory. */
const MAX_EVENT_CHARACTERS = 10 * 1024 * 1024;

export class EventParser {
  readonly #decoder = new TextDecoder();
  #line = "";
  #type = "";
  #id = "";
  #data: string[] = [];
  #size = 0;
  #afterReturn = false;
  /** The last `retry:` field, in ms. */
  retry: number | undefined;
  /** The last `id:` field. */
  lastId = "";

  /** The events that this piece completes. Throws when an event passes the bound. */
  feed(bytes: Uint8Array): ServerEvent[] {
    const events: ServerEvent[] = [];
    const text = this.#decoder.decode(bytes, { stream: true });
    let start = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code !== 10 && code !== 13) {
        this.#afterReturn = false;
        continue;
      }
      // CRLF may be split over two pieces: its LF then ends no second line.
      if (code === 10 && this.#afterReturn) {
        this.#afterReturn = false;
        start = at + 1;
        continue;
      }
      this.#afterReturn = code === 13;
      const line = this.#line + text.slice(start, at);
      this.#line = "";
      start = at + 1;
      this.#take(line, events);
    }
    this.#line += text.slice(start);
    if (this.#line.length + this.#size > MAX_EVENT_CHARACTERS) throw new Error("event too large");
    return events;
  }

  #take(line: string, events: ServerEvent[]): void {
    if (line === "") {
      if (this.#data.length > 0) {
        events.push({ type: this.#type || "message", data: this.#data.join("\n"), id: this.#id });
      }
      this.#type = this.#id = "";
      this.#data = [];
      this.#size = 0;
      return;
    }
    // A comment has no name before its colon.
    const [field, value = ""] = line.split(/: ?(.*)/s);
    if (field === "data") {
      this.#data.push(value);
      this.#size += value.length + 1;
    } else if (field === "event") this.#type = value;
    else if (field === "id" && !value.includes("\0")) this.lastId = this.#id = value;
    else if (field === "retry" && /^\d+$/.test(value)) this.retry = Number(value);
  }
}
