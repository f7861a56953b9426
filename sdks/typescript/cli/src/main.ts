#!/usr/bin/env node
import { run } from "./run.js";
import { createTerminal } from "./terminal.js";

process.exitCode = await run(process.argv.slice(2), createTerminal());
