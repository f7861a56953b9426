import { createServerLivery } from "@livery/client/server";
import { connection } from "./connection";

/** One for the process: it holds the content across requests. */
export const livery = createServerLivery(connection);
