#!/usr/bin/env node
import process from "node:process";
import { run } from "./run.js";
import { createTerminal } from "./terminal.js";

// The reader of a pipe may leave early, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});
process.exitCode = await run(process.argv.slice(2), createTerminal());
