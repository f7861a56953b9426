/**
 * One stream for all tabs of a browser that show a project: the tab that holds a lock reads it and passes events on. When
 * that tab closes, the next tab goes on from the last event. Where a browser lacks locks, as on plain http, each tab has
 * a stream of its own.
 */
import { channels, locks } from "@sdk/browser-network";
import type { LiveEvent } from "./live-events";
import { followStream } from "./live-stream";

export interface LiveListener {
  onEvent: (event: LiveEvent) => void;
  onConnection: (isOpen: boolean) => void;
}

type Message =
  | { type: "event"; event: LiveEvent }
  | { type: "connection"; isOpen: boolean }
  /** A tab that has just opened asks what it could not hear. */
  | { type: "hello" }
  | { type: "state"; isOpen: boolean; lastId: string; recent: LiveEvent[] };

/**
 * A tab that nobody has looked at for so long gives its stream up. When somebody looks at the tab again, the stream goes
 * on where it stopped. Each project open in a browser takes one of the browser's six connections to a server.
 */
const HIDDEN_MS = 30_000;
/** A new tab reads its texts and then listens: it also gets the events that came in between. */
const RECENT_MS = 10_000;

const idOf = (id: string) => (/^\d{1,18}$/.test(id) ? Number(id) : 0);

/** Listens until the returned function is called. `name` is different for each person and project. */
export function shareStream(name: string, projectId: string, listener: LiveListener): () => void {
  const lock = locks();
  const position = new Position();
  let recent: { event: LiveEvent; at: number }[] = [];
  let isOpen = false;
  let isLeader = false;
  let turn: AbortController | null = null;

  const hear = (event: LiveEvent): boolean => {
    const isNews = position.take(event);
    if (isNews) listener.onEvent(event);
    return isNews;
  };
  const connected = (now: boolean) => {
    isOpen = now;
    listener.onConnection(now);
  };
  const freshEvents = () => {
    const since = Date.now() - RECENT_MS;
    recent = recent.filter(({ event, at }) => event.name === "presence" || at > since);
    return recent.map(({ event }) => event);
  };
  const handlers = {
    lastId: () => position.lastId,
    onEvent: (event: LiveEvent) => {
      if (!hear(event)) return;
      if (event.name === "presence") recent = recent.filter((kept) => kept.event.name !== "presence");
      recent.push({ event, at: Date.now() });
      freshEvents();
      say({ type: "event", event });
    },
    onConnection: (now: boolean) => {
      connected(now);
      say({ type: "connection", isOpen: now });
    },
  };

  const listen = (message: Message) => {
    if (message.type === "event") hear(message.event);
    else if (message.type === "connection") connected(message.isOpen);
    else if (message.type === "hello" && isLeader) {
      say({ type: "state", isOpen, lastId: position.lastId, recent: freshEvents() });
    } else if (message.type === "state" && position.lastId === "") {
      for (const event of message.recent) hear(event);
      position.startAt(message.lastId);
      connected(message.isOpen);
    }
  };
  // Tabs of the same origin and the same person alone speak on this channel.
  const channel = lock && channels()?.(name, (message) => listen(message as Message));
  const say = (message: Message) => channel?.post(message);
  say({ type: "hello" });

  const lead = async (signal: AbortSignal) => {
    isLeader = true;
    await followStream(projectId, handlers, signal);
    isLeader = false;
  };
  const begin = () => {
    if (turn !== null) return;
    turn = new AbortController();
    const { signal } = turn;
    if (lock === undefined || channel === undefined) void lead(signal);
    else lock(name, signal, () => void lead(signal));
  };
  const rest = () => {
    turn?.abort();
    turn = null;
  };

  let hidden: ReturnType<typeof setTimeout> | undefined;
  const onVisibility = () => {
    clearTimeout(hidden);
    if (document.visibilityState === "visible") begin();
    else hidden = setTimeout(rest, HIDDEN_MS);
  };
  document.addEventListener("visibilitychange", onVisibility);
  begin();
  return () => {
    document.removeEventListener("visibilitychange", onVisibility);
    clearTimeout(hidden);
    rest();
    channel?.close();
  };
}

/** The last event that this tab handled: it handles each event once, whichever tab passes it on. */
class Position {
  /** What a new stream goes on from. */
  lastId = "";
  #heard = 0;
  #helloId = "";

  startAt(id: string): void {
    if (this.lastId === "") this.lastId = id;
  }

  /** Whether an event is news here. */
  take({ name, id }: LiveEvent): boolean {
    if (name === "hello") {
      this.#helloId = id;
      this.startAt(id);
    } else if (name === "reset") {
      this.lastId = this.#helloId;
      this.#heard = idOf(this.#helloId);
    } else if (id !== "") {
      if (idOf(id) <= this.#heard) return false;
      this.#heard = idOf(id);
      if (this.#heard > idOf(this.lastId)) this.lastId = id;
    }
    return true;
  }
}
