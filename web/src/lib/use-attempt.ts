import { useState } from "react";

/** Holds back the second click on a button whose dialog fades away after a fast answer to the first. */
class Attempt {
  #isTaken = false;

  /** Whether to go on: true once, and again after each failure. */
  begin = (): boolean => {
    if (this.#isTaken) return false;
    this.#isTaken = true;
    return true;
  };

  failed = (): void => {
    this.#isTaken = false;
  };
}

/** One attempt at a time, and no attempt after a success, for the life of the component. */
export function useAttempt(): Attempt {
  return useState(() => new Attempt())[0];
}
