/** What ends a command before it has an outcome: misuse, or a server that can't be reached or refuses. The exit status is 2. */
export class Failure extends Error {}
