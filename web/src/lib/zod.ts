/** The checker of forms, without code made at run time: our policy forbids that, and a browser reports even the attempt as a breach. */
import * as z from "zod/mini";

z.config({ jitless: true });

export { z };
